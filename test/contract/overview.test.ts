import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { type Caller, expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const typeFile = (name: string, options: object) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' } },
  },
})
const schemas = {
  ...typeFile('page', { draftAndPublish: true, softDelete: true }),
  ...typeFile('post', {
    draftAndPublish: true,
    i18n: { enabled: true, locales: ['en', 'de'], defaultLocale: 'en' },
  }),
  ...typeFile('secret', { draftAndPublish: true }),
}

interface Entry {
  readonly type: string
  readonly id: number
  readonly title: string
}

const day = (number: number) => `2100-01-0${number}T00:00:00.000Z`

eachDatabase(({ name }) => {
  let service: TestService
  let ann: Caller
  let bob: Caller
  let reader: Caller

  const path = (type: string, rest = '') => `/api/content/${type}${rest}`
  const create = async (client: Client, type: string, title: string): Promise<number> =>
    expectStatus(await client.post(path(type), { title }), 201).body.data.id
  const schedule = async (type: string, title: string, publishedAt: string) => {
    const id = await create(service.admin, type, title)
    expectStatus(await service.admin.put(path(type, `/${id}/publish`), { publishedAt }), 200)
    return id
  }
  const recent = async (client: Client, query = '') =>
    (expectStatus(await client.get(`/api/admin/recent${query}`), 200).body.data as Entry[]).map(
      ({ title }) => title,
    )
  const scheduled = async (client: Client, query = '') => {
    const { data } = expectStatus(await client.get(`/api/admin/scheduled${query}`), 200).body
    return { entries: data.entries.map(({ title }: Entry) => title).join(''), releases: data.releases }
  }

  before(async () => {
    service = await startService({ database: name, schemas })
    ann = await newAdmin(service, 'editor')
    bob = await newAdmin(service, 'editor')
    const permissions = { content: { page: { read: true } }, media: {} }
    const made = await service.admin.post('/api/admin/roles', { name: 'page-reader', permissions })
    reader = await newAdmin(service, expectStatus(made, 201).body.data.name)
  })
  after(() => service.stop())

  describe('recent', () => {
    it('has entries once, the latest first, by the caller or by others', async () => {
      const a = await create(ann.client, 'page', 'a')
      await create(ann.client, 'post', 'b')
      const c = await create(bob.client, 'page', 'c')
      await create(bob.client, 'secret', 's')
      expectStatus(await ann.client.put(path('page', `/${a}/publish`)), 200)
      const token = await newApiToken(service, ['content:write'])
      await create(token.client, 'page', 'by a token')
      const [first] = expectStatus(await ann.client.get('/api/admin/recent'), 200).body.data
      const { at, ...shown } = first
      assert.ok(Date.parse(at) <= Date.now())
      const by = { id: ann.id, username: ann.username }
      assert.deepEqual(shown, { type: 'page', id: a, title: 'a', operation: 'publish', by })
      assert.deepEqual(await recent(ann.client), ['a', 'b'])
      assert.deepEqual(await recent(ann.client, '?by=others'), ['s', 'c'])
      assert.deepEqual(await recent(ann.client, '?by=others&limit=1'), ['s'])
      assert.deepEqual(await recent(bob.client), ['s', 'c'])
      assert.deepEqual(await recent(reader.client), [])
      assert.deepEqual(await recent(reader.client, '?by=others'), ['a', 'c'])
      expectStatus(await bob.client.delete(path('page', `/${c}`)), 200)
      assert.deepEqual(await recent(bob.client), ['s'])
    })

    it('needs one statement, and one for each type', async () => {
      const database = service.kernel.get(databaseService)
      const counts: number[] = []
      // The service may be at work on something else at the same time.
      while (counts.length < 4) counts.push(await countStatements(database, () => recent(ann.client)))
      assert.equal(Math.min(...counts), 3)
    })
  })

  describe('scheduled', () => {
    it('has entries of all types that the caller may read, the next ones first', async () => {
      await schedule('page', '4', day(4))
      await schedule('post', '1', day(1))
      await schedule('secret', '2', day(2))
      await schedule('page', '3', day(3))
      const post = await create(service.admin, 'post', 'x')
      const german = await service.admin.post(path('post', `/${post}/localizations`), {
        locale: 'de',
        title: '5',
      })
      const { id } = expectStatus(german, 201).body.data
      expectStatus(await service.admin.put(path('post', `/${id}/publish`), { publishedAt: day(5) }), 200)
      const gone = await schedule('page', 'gone', day(1))
      expectStatus(await service.admin.delete(path('page', `/${gone}`)), 200)
      assert.equal((await scheduled(ann.client)).entries, '12345')
      assert.equal((await scheduled(ann.client, '?limit=2')).entries, '12')
      assert.equal((await scheduled(reader.client)).entries, '34')
    })

    it('has releases, for whoever may read them', async () => {
      for (const [title, number] of [
        ['later', 4],
        ['soon', 2],
      ] as const) {
        const release = { name: title, scheduledAt: day(number) }
        expectStatus(await service.admin.post('/api/admin/content-releases', release), 201)
      }
      expectStatus(await service.admin.post('/api/admin/content-releases', { name: 'none' }), 201)
      const { releases } = await scheduled(service.admin)
      assert.deepEqual(
        releases.map(({ id, ...release }: { id: number }) => release),
        [
          { name: 'soon', scheduled_at: day(2), entryCount: 0 },
          { name: 'later', scheduled_at: day(4), entryCount: 0 },
        ],
      )
      assert.equal((await scheduled(ann.client)).releases.length, 2)
      assert.deepEqual((await scheduled(reader.client)).releases, [])
    })
  })

  describe('the calendar', () => {
    const year = (number: number) => `2200-01-0${number}T00:00:00.000Z`
    const span = `from=${year(1)}&to=${year(9)}`
    const calendar = async (client: Client) =>
      expectStatus(await client.get(`/api/admin/calendar?${span}`), 200).body.data
    const changes = async (client: Client, until: string) =>
      expectStatus(await client.get(`/api/admin/calendar/changes?until=${until}`), 200).body.data.changes as {
        title: string
        change: string
        release: object | null
      }[]

    before(async () => {
      const release = { name: 'Spring', scheduledAt: year(3) }
      const { id } = expectStatus(await service.admin.post('/api/admin/content-releases', release), 201).body
        .data
      const add = (type: string, entryId: number, action = 'publish') =>
        service.admin.post(`/api/admin/content-releases/${id}/entries`, {
          contentType: type,
          entryId,
          action,
        })
      const timed = await schedule('page', 'timed', year(2))
      expectStatus(await add('page', timed), 201)
      expectStatus(await add('secret', await create(service.admin, 'secret', 'hidden')), 201)
      const brief = await create(service.admin, 'page', 'brief')
      const times = { publishedAt: year(4), unpublishAt: year(5) }
      expectStatus(await service.admin.put(path('page', `/${brief}/publish`), times), 200)
      const ending = await create(service.admin, 'page', 'ending')
      expectStatus(await service.admin.put(path('page', `/${ending}/publish`), { unpublishAt: year(6) }), 200)
    })

    it('has what is published and unpublished, and releases, as far as the caller may know', async () => {
      const { entries, releases, hasMore } = await calendar(ann.client)
      const shown = entries.map(({ title, action, at, conflict }: Record<string, unknown>) =>
        [title, action, String(at).slice(8, 10), conflict].join(' '),
      )
      assert.deepEqual(shown, [
        'timed publish 02 true',
        'brief publish 04 false',
        'brief unpublish 05 false',
        'ending unpublish 06 false',
      ])
      const [{ id: _, ...spring }] = releases
      const about = { name: 'Spring', status: 'scheduled', at: year(3), entryCount: 2 }
      assert.deepEqual([spring, hasMore], [{ ...about, conflict: true, mayMove: true }, false])
      const seen = await calendar(reader.client)
      assert.deepEqual([seen.entries.length, seen.releases], [4, []])
    })

    it('goes back to what has become public', async () => {
      const hour = 60 * 60_000
      const at = (ms: number) => new Date(Date.now() + ms).toISOString()
      const shown = async (from: string, to: string) => {
        const answer = await ann.client.get(`/api/admin/calendar?from=${from}&to=${to}`)
        const { entries } = expectStatus(answer, 200).body.data
        return entries.map(({ title, action }: Record<string, unknown>) => `${title} ${action}`)
      }
      assert.deepEqual(await shown(at(-3 * hour), at(-2 * hour)), [])
      const past = await shown(at(-hour), at(hour))
      assert.ok(past.includes('ending publish'), `${past}`)
      assert.ok(!past.includes('ending unpublish'))
    })

    it('says what readers will find otherwise at a moment to come', async () => {
      const named = (found: Awaited<ReturnType<typeof changes>>) =>
        found
          .filter(({ title }) => title.length > 1)
          .map(({ title, change, release }) => `${title} ${change}${release === null ? '' : ' by release'}`)
      assert.deepEqual(named(await changes(ann.client, year(7))), [
        'timed appears',
        'hidden appears by release',
        'ending disappears',
      ])
      assert.deepEqual(named(await changes(ann.client, year(4))).sort(), [
        'brief appears',
        'hidden appears by release',
        'timed appears',
      ])
      assert.deepEqual(named(await changes(reader.client, year(7))), ['timed appears', 'ending disappears'])
    })

    it('needs no statement for each entry', async () => {
      const database = service.kernel.get(databaseService)
      const counts: number[] = []
      while (counts.length < 4) counts.push(await countStatements(database, () => calendar(ann.client)))
      // Those that are due, titles of their type, releases, and what is in them.
      assert.ok(Math.min(...counts) <= 4, `${counts}`)
    })

    it('is bounded', async () => {
      const problems = [
        'from=2200-01-01T00:00:00Z',
        `from=${year(2)}&to=${year(1)}`,
        'from=2200-01-01T00:00:00Z&to=2201-01-01T00:00:00Z',
        'from=yesterday&to=tomorrow',
      ]
      for (const query of problems) expectStatus(await ann.client.get(`/api/admin/calendar?${query}`), 400)
      expectStatus(await ann.client.get('/api/admin/calendar/changes'), 400)
      expectStatus(await service.get(`/api/admin/calendar?${span}`), 401)
    })
  })

  it('both are for admin users, and bounded', async () => {
    const user = await newUser(service)
    const token = await newApiToken(service, ['admin:*'])
    for (const each of ['recent', 'scheduled']) {
      const address = `/api/admin/${each}`
      expectStatus(await service.get(address), 401)
      expectStatus(await user.client.get(address), 401)
      expectStatus(await token.client.get(address), 403)
      for (const limit of ['0', '51', 'x'])
        expectStatus(await ann.client.get(`${address}?limit=${limit}`), 400)
      expectStatus(await ann.client.get(`${address}?other=1`), 400)
    }
    expectStatus(await ann.client.get('/api/admin/recent?by=nobody'), 400)
  })
})
