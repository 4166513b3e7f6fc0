import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { entriesIn, entryIn, list, listIds, problemsIn, read } from '../api/content-world.ts'
import { ask, post } from '../graphql/graphql-world.ts'
import { eachDatabase } from '../support/databases.ts'
import { denseSchemas, linkAll } from '../support/dense-notes.ts'
import { startService, type TestService } from '../support/service.ts'

const text = 'wood '.repeat(20)
const maxEntries = 2_000
const maxBytes = 2_000_000

eachDatabase(({ name }) => {
  let service: TestService
  let ids: number[]

  before(async () => {
    service = await startService({
      database: name,
      schemas: denseSchemas,
      env: { SVC_API_RESPONSE_MAX_ENTRIES: `${maxEntries}`, SVC_API_RESPONSE_MAX_BYTES: `${maxBytes}` },
    })
    for (let count = 1; count <= 40; count++) {
      const data = { title: `note ${count}`, body: text }
      assert.equal((await service.admin.post('/api/content/note', data)).status, 201)
    }
    await linkAll(service.kernel.get(databaseService))
    ids = await listIds(service.admin, 'note', '?limit=40&fields=id')
    const notes = ids.slice(0, 20)
    const boxes = [{ label: 'one', note: ids[0], notes }]
    const zone = [{ __component: 'dense.box', label: 'two', notes }]
    const { status } = await service.admin.put(`/api/content/note/${ids[0]}`, { boxes, zone })
    assert.equal(status, 200)
  })
  after(() => service.stop())

  const refused = async (path: string) => {
    const answer = await service.admin.get(path)
    const problems = problemsIn(answer)
    const { message } = answer.body.error.details[0]
    return { problems, message: String(message) }
  }

  describe('an answer of REST', () => {
    it('is served where it stays within the limits', async () => {
      const first = ids[0] ?? 0
      const { friends } = await read(service.admin, 'note', first, '?populate=friends.boss')
      assert.deepEqual(
        entriesIn(friends).map(({ id }) => id),
        ids,
      )
      assert.equal(entryIn(entriesIn(friends)[7]?.boss).id, first)
      const { friendOf } = await read(service.admin, 'note', first, '?populate=friendOf.staff')
      const [staffOfFirst, staffOfSecond] = entriesIn(friendOf).map(({ staff }) => entriesIn(staff).length)
      assert.deepEqual([staffOfFirst, staffOfSecond], [40, 0])
      assert.equal((await list(service.admin, 'note', '?limit=40&populate=friends')).length, 40)
    })

    it('is refused as soon as it would show too many entries, however few there are', async () => {
      for (const path of [
        'friends.friends.boss',
        'friendOf.friendOf.boss',
        'friends.friends.friends.friends.friends',
      ]) {
        const { problems, message } = await refused(`/api/content/note/${ids[1]}?populate=${path}`)
        assert.deepEqual(problems, ['populate maxEntries'])
        const [first, second, third] = path.split('.')
        assert.ok(message.startsWith(`${first}.${second}.${third}: `), message)
        assert.match(message, /more than 2000 entries \(api\.response\.maxEntries\)/)
      }
    })

    it('counts entries in components and zones as often as they are shown', async () => {
      const first = ids[0] ?? 0
      for (const field of ['boxes', 'zone']) {
        const [box] = entriesIn((await read(service.admin, 'note', first, `?populate=${field}.notes`))[field])
        assert.equal(entriesIn(box?.notes).length, 20)
        const { problems, message } = await refused(
          `/api/content/note/${first}?populate=friendOf.boss.${field}.notes.friends`,
        )
        assert.deepEqual(problems, ['populate maxEntries'])
        assert.match(message, new RegExp(`^friendOf\\.boss\\.${field}\\.notes\\.friends: `))
      }
    })

    it('is refused as soon as it would be too long', async () => {
      const first = `/api/content/note/${ids[0]}`
      assert.equal((await service.admin.put(first, { body: 'x'.repeat(100_000) })).status, 200)
      const { problems, message } = await refused(`/api/content/note/${ids[1]}?populate=friends.boss`)
      assert.deepEqual(problems, ['populate maxBytes'])
      assert.match(message, /^friends\.boss: .* more than 2000000 bytes \(api\.response\.maxBytes\)/)
      assert.equal((await service.admin.put(first, { body: text })).status, 200)
      const written = ids.slice(1, 4)
      const long = { ids: written, data: { body: 'x'.repeat(800_000) } }
      assert.equal((await service.admin.patch('/api/content/note/bulk-update', long)).status, 200)
      const query = `filters[id][$in]=${written.join(',')}`
      assert.deepEqual((await refused(`/api/content/note?${query}`)).problems, ['limit maxBytes'])
      assert.deepEqual((await refused('/api/search?q=note&limit=40')).problems, ['limit maxBytes'])
      assert.equal((await list(service.admin, 'note', `?${query}&fields=title`)).length, 3)
      const short = { ids: written, data: { body: text } }
      assert.equal((await service.admin.patch('/api/content/note/bulk-update', short)).status, 200)
    })
  })

  describe('an answer of GraphQL', () => {
    it('is served where it stays within the limits', async () => {
      const { notes } = await ask(service.admin, '{ notes(limit: 2) { data { friends { id } } } }')
      assert.equal(notes.data[1].friends.length, 40)
    })

    it('is refused for what its relations hold, whatever was reckoned with', async () => {
      for (const [field, depth] of [
        ['friends', 5],
        ['friendOf', 3],
      ] as const) {
        const deep = `${`${field} { `.repeat(depth)} id ${'}'.repeat(depth)}`
        const { status, body } = await post(service.admin, `{ notes(limit: 1) { data { ${deep} } } }`)
        assert.equal(status, 400, JSON.stringify(body))
        assert.equal(body.errors[0].extensions.code, 'VALIDATION_ERROR')
        assert.equal(body.data, undefined)
        assert.match(body.errors[0].message, /api\.response\.maxEntries/)
      }
    })

    it('counts all fields of an operation together', async () => {
      const one = 'notes(limit: 15) { data { friends { id } } }'
      assert.equal((await post(service.admin, `{ a: ${one} }`)).status, 200)
      const { status, body } = await post(service.admin, `{ a: ${one} b: ${one} c: ${one} d: ${one} }`)
      assert.equal(status, 400, JSON.stringify(body).slice(0, 500))
      assert.match(body.errors[0].message, /api\.response\.maxEntries/)
    })

    it('counts a value under every name under which it is asked for', async () => {
      const names = Array.from({ length: 950 }, (_, index) => `b${index}: body`)
      const { status, body } = await post(
        service.admin,
        `{ notes(limit: 20) { data { ${names.join(' ')} } } }`,
      )
      assert.equal(status, 400, JSON.stringify(body).slice(0, 500))
      assert.match(body.errors[0].message, /api\.response\.maxBytes/)
    })
  })
})
