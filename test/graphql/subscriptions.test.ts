import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { contentReadMiddleware, defineReadMiddleware } from '../../core-plugins/entries/content/content.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { codesIn, countStatements, post } from './graphql-world.ts'
import { openSocket, type SocketClient, type SocketOptions } from './socket-client.ts'

const typeFile = (name: string, options: object = {}, attributes: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' }, ...attributes },
  },
})
const schemas = {
  ...typeFile('page', { draftAndPublish: true, draftOverlay: true }),
  ...typeFile('note', {}, { secret: { type: 'relation', relation: 'manyToOne', target: 'secret' } }),
  ...typeFile('secret'),
  ...typeFile('shelf'),
  ...typeFile('word', { i18n: { enabled: true, locales: ['en', 'de'], defaultLocale: 'en' } }),
}
const opened = ['page', 'note', 'shelf', 'word']

const hiddenIds = new Set<number>()
const hidingPlugin = definePlugin({
  name: 'hiding',
  description: 'Hides entries from everybody but admin users',
  init({ contribute }) {
    const hide = defineReadMiddleware({
      name: 'hide',
      types: ['shelf'],
      async run({ principal }, next) {
        const result = await next()
        if (principal.kind === 'admin' || result === undefined || !('entries' in result)) return result
        return { ...result, entries: result.entries.filter(({ id }) => !hiddenIds.has(id)) }
      },
    })
    contribute(contentReadMiddleware, hide)
  },
})

const path = (type: string, rest = '') => `/api/content/${type}${rest}`
const pages = 'subscription { pageChanged { change id entry { title } } }'
const notes = 'subscription { noteChanged { change id cursor entry { title } } }'

eachDatabase((database) => {
  describe('subscriptions of two processes on one database', () => {
    let here: TestService
    let there: TestService
    let shared: TestDatabase
    const clients: SocketClient[] = []

    async function open(service: TestService, options?: SocketOptions): Promise<SocketClient> {
      const client = await openSocket(service.url, options)
      clients.push(client)
      return client
    }
    /** Opens a connection with a subscription `1`, and one `last` to notes, for `settle`. */
    async function follow(service: TestService, query: string, options?: SocketOptions) {
      const client = await open(service, options)
      await client.subscribe('1', query)
      await client.subscribe('last', notes)
      return client
    }
    async function create(type: string, data: object = { title: 'x' }): Promise<number> {
      return expectStatus(await here.admin.post(path(type), data), 201).body.data.id
    }
    /** Resolves when everything that was committed before has been told. */
    async function settle(...told: readonly SocketClient[]): Promise<void> {
      const id = await create('note', { title: 'the last' })
      for (const client of told) {
        await until(() => client.events('last').some((event) => event.id === id))
      }
    }

    before(async () => {
      shared = await database.createUrl()
      const env = { SVC_LIVE_MAX_CLIENTS_PER_ADDRESS: '1000' }
      const options = { database: { url: shared.url }, schemas, plugins: [hidingPlugin], env }
      here = await startService(options)
      there = await startService({ ...options, adapter: 'node-http' })
      await allow(here, 'public', opened)
      await allow(here, 'authenticated', opened)
      for (const type of opened) await until(async () => (await there.get(path(type))).status === 200)
    })
    after(async () => {
      for (const client of clients) client.close()
      await Promise.all([here.stop(), there.stop()])
      await shared.drop()
    })

    it('tells readers of what everybody can see: what appears, changes and disappears', slow, async () => {
      const readers = [await follow(here, pages), await follow(there, pages)]
      const id = await create('page', { title: 'a draft' })
      expectStatus(await here.admin.put(path('page', `/${id}`), { title: 'still a draft' }), 200)
      await settle(...readers)
      for (const reader of readers) assert.deepEqual(reader.events(), [])
      expectStatus(await here.admin.put(path('page', `/${id}/publish`)), 200)
      await settle(...readers)
      expectStatus(await here.admin.put(path('page', `/${id}`), { title: 'a pending draft' }), 200)
      await settle(...readers)
      expectStatus(await here.admin.put(path('page', `/${id}/publish`)), 200)
      await settle(...readers)
      expectStatus(await here.admin.delete(path('page', `/${id}`)), 200)
      await settle(...readers)
      for (const reader of readers) {
        assert.deepEqual(reader.events(), [
          { change: 'CREATED', id, entry: { title: 'still a draft' } },
          { change: 'UPDATED', id, entry: { title: 'a pending draft' } },
          { change: 'DELETED', id, entry: null },
        ])
      }
    })

    it('tells those who see drafts of them, and of pending ones where they ask for them', slow, async () => {
      const { token } = await newAdmin(here, 'editor')
      const plain = await follow(here, pages, { token })
      const query = 'subscription { pageChanged(draft: true) { change id entry { title has_draft } } }'
      const withDrafts = await follow(there, query, { token })
      const id = await create('page', { title: 'one' })
      await settle(plain, withDrafts)
      expectStatus(await here.admin.put(path('page', `/${id}/publish`)), 200)
      await settle(plain, withDrafts)
      expectStatus(await here.admin.put(path('page', `/${id}`), { title: 'two' }), 200)
      await settle(plain, withDrafts)
      assert.deepEqual(plain.events(), [
        { change: 'CREATED', id, entry: { title: 'one' } },
        { change: 'UPDATED', id, entry: { title: 'one' } },
      ])
      assert.deepEqual(withDrafts.events().at(-1), {
        ...{ change: 'UPDATED', id },
        entry: { title: 'two', has_draft: true },
      })
    })

    it('tells only of the entries, and the locale, that are asked for', async () => {
      const [one, two] = [await create('note'), await create('note')]
      const some = await follow(there, `subscription { noteChanged(ids: [${one}]) { id } }`)
      const german = await follow(here, 'subscription { wordChanged(locale: "de") { id entry { locale } } }')
      for (const id of [two, one]) {
        expectStatus(await here.admin.put(path('note', `/${id}`), { title: 'y' }), 200)
      }
      await create('word', { title: 'hello', locale: 'en' })
      const id = await create('word', { title: 'hallo', locale: 'de' })
      await settle(some, german)
      assert.deepEqual(new Set(some.events().map(({ id }) => id)), new Set([one]))
      assert.deepEqual(german.events(), [{ id, entry: { locale: 'de' } }])
    })

    it('tells nobody of entries that plugins hide from them', slow, async () => {
      const query = 'subscription { shelfChanged { change id } }'
      const user = await follow(there, query, { token: (await newUser(here)).token })
      const editor = await follow(here, query, { token: (await newAdmin(here, 'editor')).token })
      // Of another database.
      hiddenIds.clear()
      const hidden = await create('shelf')
      await until(() => user.events().length > 0)
      hiddenIds.add(hidden)
      expectStatus(await here.admin.put(path('shelf', `/${hidden}`), { title: 'y' }), 200)
      await settle(user, editor)
      expectStatus(await here.admin.delete(path('shelf', `/${hidden}`)), 200)
      const shown = await create('shelf')
      await settle(user, editor)
      const created = (id: number) => ({ change: 'CREATED', id })
      assert.deepEqual(user.events(), [created(hidden), created(shown)])
      assert.ok(editor.events().some(({ change, id }) => change === 'UPDATED' && id === hidden))
    })

    it('refuses what one may not read, whether or not it is there', async () => {
      const errors = async (client: SocketClient, query: string) => {
        const id = query
        await client.subscribe(id, query)
        const [error] = client.of('error', id)
        return error?.payload.map(({ extensions }: { extensions: { code: string } }) => extensions.code)
      }
      const secret = 'subscription { secretChanged { id } }'
      const through = 'subscription { noteChanged { entry { secret { title } } } }'
      const nothing = 'subscription { nothingChanged { id } }'
      const client = await open(here)
      const user = await open(there, { token: (await newUser(here)).token })
      const admin = await open(here, { token: (await newAdmin(here, 'admin')).token })
      for (const query of [secret, through, nothing]) {
        assert.deepEqual(await errors(client, query), ['UNAUTHENTICATED'], query)
        assert.deepEqual(await errors(user, query), ['FORBIDDEN'], query)
      }
      assert.deepEqual(await errors(admin, nothing), ['VALIDATION_ERROR'])
      assert.equal(await errors(admin, secret), undefined)
      assert.deepEqual(await errors(admin, 'subscription { noteChanged { id } pageChanged { id } }'), [
        'VALIDATION_ERROR',
      ])
      assert.deepEqual(await errors(admin, 'subscription { wordChanged(locale: "xx") { id } }'), [
        'VALIDATION_ERROR',
      ])
      for (const each of [client, user, admin]) assert.equal(each.closed, undefined)
    })

    it('goes on after a cursor, on another process, and says when it cannot', async () => {
      const first = await follow(here, notes)
      await create('note', { title: 'known' })
      await settle(first)
      const { cursor } = first.events().at(-1)
      first.close()
      const missed = [await create('note'), await create('note')]
      const again = await open(there)
      const since = 'subscription ($since: String) { noteChanged(since: $since) { id } }'
      await again.subscribe('1', since, { since: cursor })
      await until(() => again.events().length >= 2)
      assert.deepEqual(
        again.events().map((event) => event.id),
        missed,
      )
      await again.subscribe('2', since, { since: 'of another log' })
      await until(() => again.of('error', '2').length === 1)
      assert.equal(again.of('error', '2')[0].payload[0].extensions.code, 'CURSOR_EXPIRED')
    })

    it('ends with what it was opened with, and with the right to read', slow, async () => {
      const [user, token] = [await newUser(here), await newApiToken(here, ['content:read'])]
      const streams = [
        await follow(there, notes, { token: user.token }),
        await open(there, { token: token.token }),
        await follow(here, notes, { headers: { authorization: `Bearer ${token.token}` } }),
      ]
      expectStatus(await here.admin.delete(`/api/admin/api-tokens/${token.id}`), 200)
      expectStatus(await user.client.post('/api/auth/logout'), 200)
      for (const stream of streams) assert.equal(await stream.closedWith(), 4401)
      assert.equal(await (await openSocket(there.url, { token: token.token })).closedWith(), 4403)

      const stays = [
        await follow(there, pages, { token: (await newUser(here)).token }),
        await follow(here, pages),
      ]
      const narrowed = opened.filter((type) => type !== 'page')
      await allow(here, 'authenticated', narrowed)
      await allow(here, 'public', narrowed)
      for (const [index, code] of ['FORBIDDEN', 'UNAUTHENTICATED'].entries()) {
        const client = stays[index]
        await until(() => client?.of('error', '1').length === 1)
        assert.equal(client?.of('error', '1')[0].payload[0].extensions.code, code)
        assert.equal(client?.closed, undefined)
      }
      await allow(here, 'authenticated', opened)
      await allow(here, 'public', opened)
    })

    it('makes an event once for all who may see the same', async () => {
      for (const client of clients.splice(0)) client.close()
      const many = await Promise.all(Array.from({ length: 20 }, () => follow(here, notes)))
      const told = async () => {
        const id = await create('note', { title: 'for many' })
        for (const client of many) await until(() => client.events().some((event) => event.id === id))
      }
      const alone = await countStatements(here, async () => void (await create('note')))
      const shared = await countStatements(here, told)
      assert.ok(shared <= alone + 2, `${shared} statements, ${alone} without subscribers`)
    })

    it('are not executed where operations are', async () => {
      const answer = await post(here, notes)
      assert.deepEqual([answer.status, codesIn(answer)], [400, ['VALIDATION_ERROR']])
      const { body } = await post(here, '{ __schema { subscriptionType { fields { name } } } }')
      assert.deepEqual(
        body.data.__schema.subscriptionType.fields.map(({ name }: { name: string }) => name).sort(),
        ['noteChanged', 'pageChanged', 'shelfChanged', 'wordChanged'],
      )
    })
  })
})

/** Gives a role the right to read some types, and no others. */
async function allow({ admin }: TestService, name: string, types: readonly string[]): Promise<void> {
  const roles = (await admin.get('/api/admin/roles')).body.data as { id: number; name: string }[]
  const { id } = roles.find((role) => role.name === name) ?? { id: 0 }
  const content = Object.fromEntries(types.map((type) => [type, { read: true }]))
  expectStatus(await admin.put(`/api/admin/roles/${id}`, { permissions: { content, media: {} } }), 200)
}
