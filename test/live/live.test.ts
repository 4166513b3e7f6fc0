import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { changeLogService } from '../../core-plugins/entries/changes/changes.ts'
import { contentReadMiddleware, defineReadMiddleware } from '../../core-plugins/entries/content/content.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { type EventReader, readEventStream } from '../support/event-stream.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const typeFile = (name: string, options: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' } },
  },
})
const schemas = {
  ...typeFile('page', { draftAndPublish: true, draftOverlay: true }),
  ...typeFile('note'),
  ...typeFile('secret'),
  ...typeFile('shelf'),
}

/** What only admin users see of the type `shelf`. */
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
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

interface Asked {
  readonly types?: string
  readonly since?: string
  readonly token?: string
  readonly lastEventId?: string
}

/** Opens a stream and waits until it is ready. */
async function follow({ url }: { url: string }, asked: Asked = {}): Promise<EventReader> {
  const { token, lastEventId, ...query } = asked
  const stream = await readEventStream(`${url}/api/live?${new URLSearchParams(query)}`, {
    ...(token !== undefined && bearer(token)),
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  })
  if (stream.status === 200) await stream.told('ready')
  return stream
}

const changes = ({ events }: EventReader) => events.filter(({ event }) => event === 'change')
const told = (stream: EventReader) => changes(stream).map(({ data: { position: _, ...data } }) => data)
const namedRefs = (stream: EventReader) =>
  changes(stream).flatMap(({ data }) => (data.refs ?? []).map(({ type, id }: Ref) => `${type} ${id}`))
interface Ref {
  readonly type: string
  readonly id: number
}

eachDatabase((database) => {
  describe('live updates of two processes on one database', () => {
    let here: TestService
    let there: TestService
    let shared: TestDatabase
    const opened: EventReader[] = []

    async function open(service: { url: string }, asked?: Asked): Promise<EventReader> {
      const stream = await follow(service, asked)
      opened.push(stream)
      return stream
    }
    async function create(type: string, data: object = { title: 'x' }): Promise<number> {
      return expectStatus(await here.admin.post(path(type), data), 201).body.data.id
    }
    /** Resolves when everything that was committed before has been told to streams, which must follow notes. */
    async function settle(...streams: readonly EventReader[]): Promise<void> {
      await create('note', { title: 'the last' })
      const log = here.kernel.get(changeLogService)
      const place = await log.head()
      const isMeant = (data: { position: string; types: string[] }) =>
        data.types.includes('note') && (log.positionIn(data.position) ?? 0) >= place
      await Promise.all(streams.map((stream) => stream.told('change', isMeant)))
    }

    before(async () => {
      shared = await database.createUrl()
      const options = { database: { url: shared.url }, schemas, plugins: [hidingPlugin] }
      here = await startService(options)
      there = await startService({ ...options, adapter: 'node-http' })
      await allow(here, 'public', ['page', 'note', 'shelf'])
      await allow(here, 'authenticated', ['page', 'note', 'shelf'])
      // A process hears of the roles that another one has changed within a second.
      for (const type of ['page', 'note', 'shelf']) {
        await until(async () => (await there.get(path(type))).status === 200)
      }
    })
    after(async () => {
      await Promise.all(opened.map((stream) => stream.close()))
      await Promise.all([here.stop(), there.stop()])
      await shared.drop()
    })

    it('tells anonymous callers of what everybody can see, and only which types', slow, async () => {
      const types = 'page,note'
      const [near, far] = [await open(here, { types }), await open(there, { types })]
      const id = await create('page')
      expectStatus(await here.admin.put(path('page', `/${id}`), { title: 'still a draft' }), 200)
      await create('secret')
      await settle(near, far)
      for (const stream of [near, far])
        assert.deepEqual(new Set(told(stream).flatMap((data) => data.types)), new Set(['note']))
      expectStatus(await here.admin.put(path('page', `/${id}/publish`)), 200)
      const published = await far.told('change', ({ types }) => types.includes('page'))
      assert.equal('refs' in published.data, false)
      assert.equal(published.id, published.data.position)
      await settle(near, far)
      const count = changes(near).filter(({ data }) => data.types.includes('page')).length
      expectStatus(await here.admin.put(path('page', `/${id}`), { title: 'a pending draft' }), 200)
      await settle(near, far)
      assert.equal(changes(near).filter(({ data }) => data.types.includes('page')).length, count)
      expectStatus(await here.admin.delete(path('page', `/${id}`)), 200)
      await until(() => changes(near).filter(({ data }) => data.types.includes('page')).length > count)
    })

    it('tells signed-in callers which entries, as far as they may see them', async () => {
      const [admin, user] = [await newAdmin(here, 'editor'), await newUser(here)]
      const reader = await newApiToken(here, ['content:read:page', 'content:read:note'])
      const types = 'page,note'
      const editors = await open(there, { types, token: admin.token })
      const [users, readers] = await Promise.all([
        open(here, { types, token: user.token }),
        open(there, { types, token: reader.token }),
      ])
      const draft = await create('page')
      const page = await create('page')
      expectStatus(await here.admin.put(path('page', `/${page}/publish`)), 200)
      await settle(editors, users, readers)
      const refs = (stream: EventReader) => new Set(namedRefs(stream).filter((ref) => ref.startsWith('page')))
      assert.deepEqual(refs(editors), new Set([`page ${draft}`, `page ${page}`]))
      assert.deepEqual(refs(users), new Set([`page ${page}`]))
      assert.deepEqual(refs(readers), new Set([`page ${page}`]))
      const seen = changes(users).length
      expectStatus(await here.admin.delete(path('page', `/${page}`)), 200)
      await until(() =>
        changes(users)
          .slice(seen)
          .some(({ data }) => data.types.includes('page')),
      )
      assert.equal(
        changes(users)
          .slice(seen)
          .some(({ data }) => data.refs.some(({ type }: Ref) => type === 'page')),
        false,
      )
    })

    it('tells nobody of entries that plugins hide from them', slow, async () => {
      const user = await newUser(here)
      const admin = await newAdmin(here, 'editor')
      const types = 'note,shelf'
      const streams = [await open(here, { types }), await open(there, { types, token: user.token })]
      const editors = await open(there, { types, token: admin.token })
      const hidden = await create('shelf')
      hiddenIds.add(hidden)
      await editors.told('change', ({ types }) => types.includes('shelf'))
      await settle(...streams)
      const marks = streams.map((stream) => changes(stream).length)
      expectStatus(await here.admin.put(path('shelf', `/${hidden}`), { title: 'hidden' }), 200)
      await settle(...streams)
      for (const [index, stream] of streams.entries()) {
        const later = changes(stream).slice(marks[index])
        assert.equal(
          later.some(({ data }) => data.types.includes('shelf')),
          false,
        )
      }
      const shown = await create('shelf')
      await streams[0]?.told('change', ({ types }) => types.includes('shelf'))
      await streams[1]?.told('change', ({ refs }) => refs.some(({ id }: Ref) => id === shown))
    })

    it(
      'goes on where a stream has ended, on another process, without a gap or a repetition',
      slow,
      async () => {
        const { token } = await newApiToken(here, ['content:read'])
        const types = 'note'
        const seen: string[] = []
        const made: string[] = []
        let cursor: string | undefined
        for (let round = 0; round < 6; round++) {
          const service = round % 2 === 0 ? here : there
          const stream = await follow(service, {
            types,
            token,
            ...(cursor !== undefined && { lastEventId: cursor }),
          })
          cursor ??= stream.events[0]?.id
          made.push(`note ${await create('note')}`)
          if (round % 3 !== 2) await until(() => namedRefs(stream).includes(made.at(-1) ?? ''))
          await stream.close()
          seen.push(...namedRefs(stream))
          cursor = stream.events.at(-1)?.id
          made.push(`note ${await create('note')}`)
        }
        const last = await open(here, { types, token, since: cursor ?? '' })
        await until(() => namedRefs(last).includes(made.at(-1) ?? ''))
        seen.push(...namedRefs(last))
        assert.deepEqual(seen, made)
      },
    )

    it('a burst of writes is few events', async () => {
      const stream = await open(here, { types: 'note' })
      const before = changes(stream).length
      await Promise.all(Array.from({ length: 30 }, () => create('note')))
      await settle(stream)
      assert.ok(changes(stream).length - before < 15, `${changes(stream).length - before} events`)
    })

    it('begins anew where a cursor is of another log, too old or from the future', slow, async () => {
      const stream = await open(here, { types: 'note' })
      const [epoch = ''] = (stream.events[0]?.id ?? '').split('.')
      for (const lastEventId of ['x', 'other.1', `${epoch}.zzzzzz`, `${epoch}.-1`]) {
        const again = await open(there, { types: 'note', lastEventId })
        const { data, id } = await again.told('restart')
        assert.equal(data.position, id)
      }
      const ids = await Promise.all(Array.from({ length: 90 }, () => create('note')))
      for (let round = 0; round < 12; round++) {
        const answer = await here.admin.patch(path('note', '/bulk-update'), {
          ...{ ids, data: { title: `round ${round}` } },
        })
        expectStatus(answer, 200)
      }
      await settle(stream)
      const late = await open(here, { types: 'note', lastEventId: `${epoch}.1` })
      await late.told('restart')
      await create('note')
      await late.told('change')
    })

    it('ends with what it was opened with, and follows what that is worth', slow, async () => {
      const [user, token] = [await newUser(here), await newApiToken(here, ['content:read'])]
      const types = 'page,note'
      const streams = [
        await open(there, { types, token: user.token }),
        await open(there, { types, token: token.token }),
      ]
      expectStatus(await here.admin.delete(`/api/admin/api-tokens/${token.id}`), 200)
      expectStatus(await user.client.post('/api/auth/logout'), 200)
      await until(() => streams.every((stream) => stream.isClosed()))
      assert.equal((await follow(there, { token: token.token })).status, 401)

      const stays = await open(there, { types, token: (await newUser(here)).token })
      const publicly = await open(there, { types })
      await allow(here, 'authenticated', ['note'])
      await allow(here, 'public', ['note'])
      await until(async () => (await there.get(path('page'))).status === 401)
      const id = await create('page')
      expectStatus(await here.admin.put(path('page', `/${id}/publish`)), 200)
      await settle(stays, publicly)
      for (const stream of [stays, publicly]) {
        assert.equal(
          changes(stream).some(({ data }) => data.types.includes('page')),
          false,
        )
      }
      await allow(here, 'authenticated', ['page', 'note', 'shelf'])
      await allow(here, 'public', ['page', 'note', 'shelf'])
    })

    it('refuses what one may not follow, and what is not there', async () => {
      expectStatus(await here.get('/api/live?types=secret'), 401)
      expectStatus(await here.get('/api/live?types=nothing'), 401)
      const { client } = await newUser(here)
      expectStatus(await client.get('/api/live?types=page,secret'), 403)
      const answer = expectStatus(await here.admin.get('/api/live?types=page,nothing'), 400)
      assert.deepEqual(
        answer.body.error.details.map(({ path }: { path: string }) => path),
        ['types'],
      )
      expectStatus(await here.admin.get('/api/live?tag=x'), 400)
      const head = await fetch(`${here.url}/api/live`, { method: 'HEAD' })
      assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream'])
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
