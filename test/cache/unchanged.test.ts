import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { schemas, statusOf } from './world.ts'

eachDatabase(({ name }) => {
  let service: TestService

  const create = async (type: string, data: object): Promise<number> =>
    expectStatus(await service.admin.post(`/api/content/${type}`, data), 201).body.data.id
  const tagOf = async (path: string) =>
    expectStatus(await service.admin.get(path), 200).headers.get('etag') ?? ''
  const ask = (path: string, tag: string) => service.admin.get(path, { headers: { 'if-none-match': tag } })
  /** Asks for what is still right, and looks at nothing but the log. */
  async function assertUnread(path: string, tag: string) {
    const database = service.kernel.get(databaseService)
    const count = await countStatements(
      database,
      async () => {
        const answer = await ask(path, tag)
        assert.deepEqual([answer.status, statusOf(answer), answer.headers.get('etag')], [304, 'hit', tag])
      },
      'content_author',
    )
    assert.equal(count, 0, path)
  }

  const warm = async (path: string) => {
    while (statusOf(await service.admin.get(path)) !== 'hit');
  }
  const keptCount = async () => {
    const [, count] =
      /^mortise_cache_answers (\d+)$/m.exec(String((await service.admin.get('/api/metrics')).body)) ?? []
    return Number(count)
  }

  before(async () => {
    service = await startService({
      ...{ database: name, schemas },
      env: {
        // Room for few answers, so that those are dropped which are asked for no more, and for none above 2 KiB.
        SVC_CACHE_MAX_BYTES: '131072',
        // Its index is compared with the entries after a start, which would be counted.
        SVC_PLUGINS_DISABLED: 'search',
      },
    })
  })
  after(() => service.stop())

  it('who has an answer is told that it is right, although it was asked for but once', async () => {
    const author = await create('author', { name: 'Ada' })
    for (const path of [`/api/content/author/${author}`, '/api/content/author?fields=name']) {
      const tag = await tagOf(path)
      await assertUnread(path, tag)
      await create('comment', { text: 'of another type' })
      await assertUnread(path, tag)
      expectStatus(await service.admin.put(`/api/content/author/${author}`, { bio: path }), 200)
      const changed = await ask(path, tag)
      if (path.includes('fields')) assert.equal(changed.status, 304, 'what changed is not shown')
      else assert.equal(expectStatus(changed, 200).body.data.bio, path)
      expectStatus(await service.admin.put(`/api/content/author/${author}`, { name: path }), 200)
      assert.equal(JSON.stringify(expectStatus(await ask(path, tag), 200).body).includes(path), true)
    }
  })

  it('also where its body was dropped, or is too large to be kept', async () => {
    const large = await create('author', { name: 'large', bio: 'x'.repeat(3_000) })
    const path = `/api/content/author/${large}`
    const tag = await tagOf(path)
    await tagOf(path)
    await assertUnread(path, tag)
    const small = '/api/content/author?filters[name]=nobody'
    const smallTag = await tagOf(small)
    await warm(small)
    // Until some more than what was kept before is dropped.
    for (let [count, dropped, before] = [0, 0, 0]; dropped < 6; count++) {
      await warm(`/api/content/author?filters[name]=nobody-${count}`)
      const now = await keptCount()
      if (now === before) dropped += 1
      before = now
    }
    await assertUnread(path, tag)
    await assertUnread(small, smallTag)
    expectStatus(await service.admin.put(path, { name: 'nobody' }), 200)
    assert.equal((await ask(path, tag)).status, 200)
    assert.equal((await ask(small, smallTag)).status, 200)
  })

  it('nobody is told so of what they have with other rights', async () => {
    const author = await create('author', { name: 'Hidden' })
    const path = `/api/content/author/${author}`
    const tag = await tagOf(path)
    expectStatus(await service.get(path, { headers: { 'if-none-match': tag } }), 401)
  })
})
