import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import type { Answer } from '../support/client.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const typeFile = (name: string, options: object) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: true, ...options },
    attributes: {
      title: { type: 'string' },
      code: { type: 'string', unique: true },
      others: { type: 'relation', relation: 'manyToMany', target: name },
    },
  },
})
const schemas = { ...typeFile('plain', {}), ...typeFile('page', { draftOverlay: true }) }
const releases = '/api/admin/content-releases'

eachDatabase((engine) => {
  let database: TestDatabase
  let services: readonly TestService[]

  before(async () => {
    database = await engine.createUrl()
    const start = () => startService({ database: { url: database.url }, schemas })
    services = [await start(), await start()]
  })
  after(async () => {
    for (const service of services) await service.stop()
    await database.drop()
  })

  const admin = (turn = 0) => (services[turn % services.length] as TestService).admin
  const pathOf = (type: string, id: number, rest = '') => `/api/content/${type}/${id}${rest}`
  const dataOf = (answer: Answer, status = 200) => expectStatus(answer, status).body.data
  const add = async (type: string, data: object = {}): Promise<number> =>
    dataOf(await admin().post(`/api/content/${type}`, { title: 'first', ...data }), 201).id
  const addPublished = async (type: string, data: object = {}) => {
    const id = await add(type, data)
    dataOf(await admin().put(pathOf(type, id, '/publish')))
    return id
  }
  const read = async (type: string, id: number, query = '') =>
    dataOf(await admin().get(`${pathOf(type, id)}${query}`))
  const actions = async (type: string, id: number): Promise<string[]> =>
    dataOf(await admin().get(pathOf(type, id, '/revisions'))).map(({ action }: { action: string }) => action)
  const times = <T>(count: number, work: (turn: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, turn) => work(turn)))
  const statusesOf = (answers: readonly Answer[]) => {
    return answers.map(({ status }) => status).sort()
  }
  const release = async (type: string, ids: readonly number[], action = 'publish'): Promise<number> => {
    const { id } = dataOf(await admin().post(releases, { name: 'one' }), 201)
    for (const entryId of ids) {
      dataOf(await admin().post(`${releases}/${id}/entries`, { contentType: type, entryId, action }), 201)
    }
    return id
  }

  for (const type of ['plain', 'page']) {
    describe(`what is done with a ${type} at the same time`, () => {
      it('publishes it once', async () => {
        const id = await add(type)
        const answers = await times(8, (turn) => admin(turn).put(pathOf(type, id, '/publish')))
        assert.deepEqual(statusesOf(answers), Array(8).fill(200))
        assert.deepEqual(await actions(type, id), ['publish', 'create'])
        assert.equal(new Set(answers.map(({ body }) => body.data.published_at)).size, 1)
        const logs = `/api/admin/audit-logs?resource=${type}:${id}&action=content.publish`
        assert.equal(dataOf(await admin().get(logs)).length, 1)
      })

      it('publishes and takes back in some order', async () => {
        const id = await addPublished(type)
        const verbs = ['publish', 'unpublish']
        const answers = await times(10, (turn) => admin(turn).put(pathOf(type, id, `/${verbs[turn % 2]}`)))
        assert.deepEqual(statusesOf(answers), Array(10).fill(200))
        const found = (await actions(type, id)).reverse()
        const expected = found.map((_, index) => (index === 0 ? 'create' : verbs[(index - 1) % 2]))
        assert.deepEqual(found, expected)
        const isPublic = (await read(type, id)).published_at !== null
        assert.equal(isPublic, found.at(-1) === 'publish')
      })

      it('is in two releases that are published at once', async () => {
        const ids = await times(6, () => add(type))
        const one = await release(type, ids)
        const other = await release(type, [...ids].reverse())
        const answers = await Promise.all(
          [one, other].map((id, turn) => admin(turn).post(`${releases}/${id}/publish`)),
        )
        assert.deepEqual(statusesOf(answers), [200, 200])
        for (const id of ids) assert.deepEqual(await actions(type, id), ['publish', 'create'])
      })

      it('is in releases that publish and take back at once', async () => {
        const ids = await times(4, () => addPublished(type))
        const one = await release(type, ids)
        const other = await release(type, [...ids].reverse(), 'unpublish')
        const answers = await Promise.all(
          [one, other].map((id, turn) => admin(turn).post(`${releases}/${id}/publish`)),
        )
        assert.deepEqual(statusesOf(answers), [200, 200])
        const states = await Promise.all(ids.map(async (id) => (await read(type, id)).published_at === null))
        assert.equal(new Set(states).size, 1, String(states))
      })

      it('is changed while a release publishes it', async () => {
        const ids = await times(5, () => addPublished(type))
        for (const id of ids) dataOf(await admin().put(pathOf(type, id), { title: 'second' }))
        const releaseId = await release(type, ids)
        const [published, ...changed] = await Promise.all([
          admin().post(`${releases}/${releaseId}/publish`),
          ...ids.map((id, turn) => admin(turn).put(pathOf(type, id), { title: 'third', code: `code ${id}` })),
        ])
        assert.deepEqual(statusesOf([published as Answer, ...changed]), Array(6).fill(200))
        for (const id of ids) {
          const latest = await read(type, id, type === 'page' ? '?draft=true' : '')
          assert.deepEqual([latest.title, latest.code], ['third', `code ${id}`])
          if (type === 'page') assert.ok(['second', 'third'].includes((await read(type, id)).title))
        }
      })

      it('is deleted while a release publishes it', async () => {
        const ids = await times(4, () => add(type))
        const releaseId = await release(type, ids)
        const [published, deleted] = (await Promise.all([
          admin().post(`${releases}/${releaseId}/publish`),
          admin(1).delete(pathOf(type, ids[2] ?? 0)),
        ])) as [Answer, Answer]
        assert.equal(deleted.status, 200)
        assert.ok([200, 409].includes(published.status), JSON.stringify(published.body))
        for (const id of ids.filter((_, index) => index !== 2)) {
          assert.equal((await read(type, id)).published_at !== null, published.status === 200)
        }
      })

      it('is linked with many', async () => {
        const id = await add(type)
        const others = await times(8, () => add(type))
        const link = (to: number, turn: number) =>
          admin(turn).post(pathOf(type, id, '/link/others'), { id: to })
        assert.deepEqual(statusesOf(await Promise.all(others.map(link))), Array(8).fill(200))
        assert.deepEqual((await read(type, id)).others.sort(), [...others].sort())
        const lists = await times(8, (turn) =>
          admin(turn).put(pathOf(type, id), { others: others.slice(turn % 3) }),
        )
        assert.deepEqual(statusesOf(lists), Array(8).fill(200))
        const revisions = dataOf(await admin().get(`${pathOf(type, id, '/revisions')}?limit=1`))
        assert.deepEqual(revisions[0].data.others, (await read(type, id)).others)
      })

      it('links one another in a circle while they are published', async () => {
        const [one = 0, other = 0] = await times(2, () => addPublished(type))
        const answers = await times(12, (turn) => {
          const [from, to] = turn % 2 === 0 ? [one, other] : [other, one]
          if (turn % 3 === 0) return admin(turn).put(pathOf(type, from, '/publish'))
          return admin(turn).put(pathOf(type, from), { others: [to] })
        })
        assert.deepEqual(statusesOf(answers), Array(12).fill(200))
      })
    })
  }

  describe('drafts', () => {
    it('that take the same unique value are published one', async () => {
      const ids = await times(4, () => addPublished('page'))
      const code = 'wanted by all'
      const saved = await times(4, (turn) => admin(turn).put(pathOf('page', ids[turn] ?? 0), { code }))
      assert.deepEqual(statusesOf(saved), Array(4).fill(200))
      const answers = await times(4, (turn) => admin(turn).put(pathOf('page', ids[turn] ?? 0, '/publish')))
      assert.deepEqual(statusesOf(answers), [200, 409, 409, 409])
      const holders = await Promise.all(ids.map(async (id) => (await read('page', id)).code === code))
      assert.equal(holders.filter(Boolean).length, 1)
    })

    it('are published once, and dropped once', async () => {
      const id = await addPublished('page')
      dataOf(await admin().put(pathOf('page', id), { title: 'second' }))
      const published = await times(6, (turn) => admin(turn).put(pathOf('page', id, '/publish')))
      assert.deepEqual(statusesOf(published), Array(6).fill(200))
      assert.deepEqual((await actions('page', id)).filter((action) => action === 'publish').length, 2)
      dataOf(await admin().put(pathOf('page', id), { title: 'third' }))
      const dropped = await times(4, (turn) => admin(turn).delete(pathOf('page', id, '/draft')))
      assert.deepEqual(statusesOf(dropped), [200, 404, 404, 404])
      assert.equal((await read('page', id)).title, 'second')
    })
  })

  describe('comments', () => {
    it('are deleted once, and their answers with them in any order', async () => {
      const id = await add('plain')
      const comments = pathOf('plain', id, '/comments')
      const made: number[] = []
      for (let count = 0; count < 6; count += 1) {
        const body = { body: 'answer', ...(count === 0 ? {} : { parent: made.at(-1) }) }
        made.push(dataOf(await admin().post(comments, body), 201).id)
      }
      const [first, ...rest] = made
      const twice = await times(4, (turn) => admin(turn).delete(`${comments}/${first}`))
      assert.deepEqual(statusesOf(twice), [200, 404, 404, 404])
      const all = await Promise.all(rest.map((comment, turn) => admin(turn).delete(`${comments}/${comment}`)))
      assert.deepEqual(statusesOf(all), Array(5).fill(200))
      assert.deepEqual(dataOf(await admin().get(comments)), [])
    })

    it('are made on what is deleted or not at all', async () => {
      const id = await add('plain')
      const answers = await Promise.all([
        admin().delete(pathOf('plain', id)),
        ...Array.from({ length: 6 }, (_, turn) =>
          admin(turn).post(pathOf('plain', id, '/comments'), { body: 'x' }),
        ),
      ])
      for (const { status } of answers) assert.ok([200, 201, 404].includes(status), String(status))
    })
  })
})
