import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { countWords } from '../../plugins/reading-time/words.ts'
import { type Client, createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

const pluginsDirectory = join(import.meta.dirname, '../../plugins')
const fourHundredWords = `<p>${'word '.repeat(400)}</p>`

let service: TestService
let admin: Client

let slug = 0

async function createArticle(body: string): Promise<number> {
  const answer = await admin.post('/api/content/article', { title: 'An article', slug: `a-${++slug}`, body })
  assert.equal(answer.status, 201)
  return answer.body.data.id
}

const readingTime = (id: number, client: Client = admin) => client.get(`/api/x/reading-time/article/${id}`)

describe('the example reading-time', () => {
  before(async () => {
    service = await startService({ env: { SVC_PLUGINS_DIR: pluginsDirectory } })
    admin = service.admin
  })

  after(() => service.stop())

  describe('the plugin reading-time', () => {
    it('tells how long an entry takes to read, from the write on', async () => {
      const id = await createArticle(fourHundredWords)
      const { status, body } = await readingTime(id)
      assert.equal(status, 200)
      assert.deepEqual(body.data, { words: 400, minutes: 2 })
    })

    it('counts anew when the entry changes', async () => {
      const id = await createArticle(fourHundredWords)
      await admin.put(`/api/content/article/${id}`, { body: '<p>Just three words</p>' })
      assert.deepEqual((await readingTime(id)).body.data, { words: 3, minutes: 1 })
    })

    it('forgets an entry that is deleted', async () => {
      const id = await createArticle(fourHundredWords)
      await admin.delete(`/api/content/article/${id}`)
      assert.equal((await readingTime(id)).status, 404)
    })

    it('says nothing of a write that is rolled back', async () => {
      const id = await createArticle('<p>one two</p>')
      const bulk = { ids: [id, 999_999], data: { body: fourHundredWords } }
      assert.equal((await admin.patch('/api/content/article/bulk-update', bulk)).status, 404)
      assert.deepEqual((await readingTime(id)).body.data, { words: 2, minutes: 1 })
    })

    it('knows nothing of types without rich text', async () => {
      const { body } = await admin.post('/api/content/author', { name: 'Ann' })
      assert.equal((await admin.get(`/api/x/reading-time/author/${body.data.id}`)).status, 404)
    })

    it('tells those of many entries at once, as far as the caller sees them', async () => {
      const id = await createArticle(fourHundredWords)
      const { status, body } = await admin.get(`/api/x/reading-time/article?ids=${id},999999`)
      assert.equal(status, 200)
      assert.deepEqual(body.data, { [id]: { words: 400, minutes: 2 } })
      assert.equal((await admin.get('/api/x/reading-time/article?ids=one')).status, 400)
    })

    it('is in backups, and comes back with the entries', slow, async () => {
      const id = await createArticle(fourHundredWords)
      const made = await admin.post('/api/admin/backups', {})
      assert.equal(made.status, 201)
      await admin.put(`/api/content/article/${id}`, { body: '<p>Just three words</p>' })
      const restored = await admin.post(`/api/admin/backups/${made.body.data.id}/restore`, {})
      assert.equal(restored.status, 200, JSON.stringify(restored.body))
      assert.deepEqual((await readingTime(id)).body.data, { words: 400, minutes: 2 })
    })

    it('is a field in GraphQL, of types with rich text', async () => {
      const id = await createArticle(fourHundredWords)
      const query = `{ article(id: ${id}) { data { readingTime { words minutes } } } }`
      assert.deepEqual((await admin.post('/api/graphql', { query })).body, {
        data: { article: { data: { readingTime: { words: 400, minutes: 2 } } } },
      })
      const ofAuthor = { query: '{ authors { data { readingTime { words } } } }' }
      assert.equal((await admin.post('/api/graphql', ofAuthor)).status, 400)
    })

    it('answers 404 and 401 as the content API would', async () => {
      const id = await createArticle(fourHundredWords)
      assert.equal((await readingTime(999_999)).status, 404)
      assert.equal((await readingTime(id, createClient(service.url))).status, 401)
      assert.equal((await readingTime(id, createClient(service.url, 'nonsense'))).status, 401)
    })
  })

  describe('the plugin reading-time with settings of its own', () => {
    it('reckons with the reading speed, and lets everyone ask who may read the type', async (test) => {
      const slow = await startService({
        env: {
          SVC_PLUGINS_DIR: pluginsDirectory,
          SVC_READING_TIME_WORDS_PER_MINUTE: '100',
          SVC_READING_TIME_IS_FOR_EVERYONE: 'true',
        },
      })
      test.after(() => slow.stop())
      const permissions = { content: { article: { read: true } }, media: {} }
      const roles = await slow.admin.get('/api/admin/roles')
      const open = roles.body.data.find((role: { name: string }) => role.name === 'public')
      assert.equal((await slow.admin.put(`/api/admin/roles/${open.id}`, { permissions })).status, 200)
      const article = { title: 'An article', slug: 'a', body: fourHundredWords }
      const { id } = (await slow.admin.post('/api/content/article', article)).body.data
      assert.deepEqual((await slow.admin.get(`/api/x/reading-time/article/${id}`)).body.data.minutes, 4)
      assert.equal(
        (await slow.get(`/api/x/reading-time/article/${id}`)).status,
        404,
        'a draft is not for everyone',
      )
      await slow.admin.put(`/api/content/article/${id}/publish`)
      assert.equal((await slow.get(`/api/x/reading-time/article/${id}`)).body.data.minutes, 4)
    })
  })

  describe('countWords', () => {
    const cases: [string, number][] = [
      ['', 0],
      ['<p></p>', 0],
      ['one', 1],
      ['<p>one</p><p>two</p>', 2],
      ['one &amp; two &mdash; three', 3],
      ['  spaced\n\tout  ', 2],
      ['Größe naïve 3 – 4', 4],
    ]
    for (const [text, expected] of cases) {
      it(`finds ${expected} in ${JSON.stringify(text)}`, () => assert.equal(countWords(text), expected))
    }
  })
})
