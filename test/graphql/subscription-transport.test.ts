import assert from 'node:assert/strict'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { createClient as createSseClient } from 'graphql-sse'
import { createClient as createWsClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { graphqlExtensions } from '../../core-plugins/delivery/graphql/graphql.ts'
import { Connection } from '../../core-plugins/delivery/graphql/subscriptions/connection.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus, newApiToken } from '../api/auth-callers.ts'
import { adapters } from '../support/adapters.ts'
import { readEventStream } from '../support/event-stream.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { ask } from './graphql-world.ts'
import { openSocket, SocketClient } from './socket-client.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: {
      title: { type: 'text' },
      other: { type: 'relation', relation: 'manyToOne', target: 'note' },
    },
  },
}
const env = {
  SVC_API_GRAPHQL_MAX_SUBSCRIPTIONS: '2',
  SVC_API_GRAPHQL_MAX_DEPTH: '3',
  SVC_API_GRAPHQL_CONNECTION_INIT_TIMEOUT_MS: '1000',
  SVC_CORS_ORIGINS: 'https://good.example',
  SVC_LIVE_MAX_CLIENTS_PER_ADDRESS: '3',
  SVC_SERVER_TRUST_PROXY: 'loopback',
}
const notes = 'subscription { noteChanged { change id entry { title } } }'

const shoutingPlugin = definePlugin({
  name: 'shouting',
  description: 'Writes titles in capitals',
  register({ contribute }) {
    contribute(graphqlExtensions, {
      fieldsOf: ({ name }) =>
        name !== 'note'
          ? {}
          : {
              shout: {
                type: 'String',
                needs: ['title'],
                load: async (queries) => queries.map(({ entry }) => String(entry.title).toUpperCase()),
              },
            },
    })
  },
})

let addresses = 0
/** Each test has an address, so that it may open as many connections as one may. */
const ownAddress = () => ({ 'x-forwarded-for': `192.0.2.${++addresses}` })

async function openToAll({ admin }: TestService): Promise<void> {
  const roles = (await admin.get('/api/admin/roles')).body.data as { id: number; name: string }[]
  const { id } = roles.find(({ name }) => name === 'public') ?? { id: 0 }
  const permissions = { content: { note: { read: true } }, media: {} }
  expectStatus(await admin.put(`/api/admin/roles/${id}`, { permissions }), 200)
}

for (const adapter of adapters) {
  describe(`subscriptions on ${adapter}`, () => {
    let service: TestService
    const create = async (title: string, on = service): Promise<number> =>
      expectStatus(await on.admin.post('/api/content/note', { title }), 201).body.data.id

    before(async () => {
      service = await startService({ adapter, schemas, env, plugins: [shoutingPlugin] })
      await openToAll(service)
    })
    after(() => service.stop())

    it('closes connections that do not keep to the protocol, with its codes', async () => {
      const closedAfter = async (...sent: readonly (object | string | Buffer)[]) => {
        const client = new SocketClient(service.url, { headers: ownAddress() })
        assert.equal(await client.opened(), 101)
        for (const each of sent) {
          const isRaw = typeof each === 'string' || Buffer.isBuffer(each)
          client.socket.send(isRaw ? each : JSON.stringify(each))
        }
        return client.closedWith()
      }
      const init = { type: 'connection_init' }
      const subscribe = { id: '1', type: 'subscribe', payload: { query: notes } }
      assert.equal(await closedAfter('{'), 4400)
      assert.equal(await closedAfter({ type: 'start' }), 4400)
      assert.equal(await closedAfter({ type: 'subscribe', payload: { query: notes } }), 4400)
      assert.equal(await closedAfter(subscribe), 4401)
      assert.equal(await closedAfter(init, init), 4429)
      assert.equal(await closedAfter(init, subscribe, subscribe), 4409)
      assert.equal(await closedAfter(), 4408)
      assert.equal(await closedAfter({ ...init, payload: { authorization: 'Bearer nothing' } }), 4403)
      assert.equal(await closedAfter(Buffer.from('{}')), 1003)
      assert.equal(await closedAfter({ ...init, payload: { x: 'x'.repeat(200_000) } }), 1009)
      assert.equal(await closedAfter({ ...init, payload: { x: 'x'.repeat(110_000) } }), 1009)
      assert.equal(await closedAfter(init, { type: 'ping', payload: { x: 'x'.repeat(110_000) } }), 1009)
      const far = await closedAfter({ ...init, payload: { x: 'x'.repeat(2_000_000) } })
      assert.ok([1006, 1009].includes(far), String(far))
    })

    it('refuses what is no connection of its own', async () => {
      const status = (headers: Readonly<Record<string, string>>, protocol?: string) =>
        new SocketClient(service.url, {
          headers: { ...ownAddress(), ...headers },
          ...(protocol && { protocol }),
        }).opened()
      assert.equal(await status({}, 'graphql-ws'), 400)
      assert.equal(await status({ origin: 'https://evil.example' }), 403)
      assert.equal(await status({ origin: 'null' }), 403)
      assert.equal(await status({ origin: 'https://good.example' }), 101)
      assert.equal(await status({ origin: service.url }), 101)
      const elsewhere = new WebSocket(`${service.url.replace('http', 'ws')}/api/content/note`)
      elsewhere.on('error', () => undefined)
      const answered = await new Promise((resolve) =>
        elsewhere.once('unexpected-response', (_, { statusCode }) => resolve(statusCode)),
      )
      assert.equal(answered, 200)
    })

    it('serves requests that wish for another protocol as they are', async () => {
      const answered = await new Promise<string>((resolve, reject) => {
        const headers = {
          ...{ connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' },
          'content-type': 'application/json',
        }
        const post = request(`${service.url}/api/graphql`, { method: 'POST', headers }, (response) =>
          resolve(text(response)),
        )
        post.once('error', reject)
        post.end(JSON.stringify({ query: '{ notes { pagination { limit } } }' }))
      })
      assert.deepEqual(Object.keys(JSON.parse(answered).data), ['notes'])
    })

    it('limits connections, subscriptions, depth and what may be asked', async () => {
      const headers = ownAddress()
      const clients = []
      for (let count = 0; count < 3; count++) clients.push(await openSocket(service.url, { headers }))
      const [client] = clients
      assert.equal(await new SocketClient(service.url, { headers }).opened(), 429)
      assert.ok(client)
      const codeOf = (id: string) => client.of('error', id)[0]?.payload[0].extensions.code
      await client.subscribe('1', notes)
      await client.subscribe('deep', 'subscription { noteChanged { entry { other { title } } } }')
      await client.subscribe('2', notes)
      await client.subscribe('3', notes)
      assert.deepEqual(['1', 'deep', '2', '3'].map(codeOf), [
        undefined,
        'VALIDATION_ERROR',
        undefined,
        'RATE_LIMITED',
      ])
      client.send({ id: '2', type: 'complete' })
      await client.subscribe('4', notes)
      assert.equal(codeOf('4'), undefined)
      const id = await create('for two')
      await until(() => client.events('1').length === 1 && client.events('4').length === 1)
      assert.deepEqual(client.events('4'), [{ change: 'CREATED', id, entry: { title: 'for two' } }])
      assert.deepEqual(client.events('2'), [])
      for (const each of clients) each.close()
      await until(async () => (await new SocketClient(service.url, { headers }).opened()) === 101)
    })

    it('has fields of plugins in what it tells', async () => {
      const client = await openSocket(service.url, { headers: ownAddress() })
      await client.subscribe('1', 'subscription { noteChanged { entry { shout } } }')
      await create('quiet')
      await until(() => client.events().length === 1)
      assert.deepEqual(client.events(), [{ entry: { shout: 'QUIET' } }])
      client.close()
    })

    it('understands the clients of graphql-ws and graphql-sse', async () => {
      const { token } = await newApiToken(service, ['content:read'])
      const headers = { ...ownAddress(), authorization: `Bearer ${token}` }
      const overSocket = createWsClient({
        url: `${service.url.replace('http', 'ws')}/api/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${token}` },
      })
      const overEvents = createSseClient({ url: `${service.url}/api/graphql`, headers })
      const query = 'subscription ($ids: [ID!]) { noteChanged(ids: $ids) { change id } }'
      const id = await create('known')
      const asked = { query, variables: { ids: [id] } }
      const told = [overSocket, overEvents].map((client) => client.iterate(asked)[Symbol.asyncIterator]())
      let written = 0
      let updates = 0
      const following = told.map(async (events) => {
        // What was created just before may be told as well.
        for (let change = ''; change !== 'UPDATED'; ) {
          const { value } = await events.next()
          assert.equal(value.data.noteChanged.id, id)
          change = value.data.noteChanged.change
        }
        updates += 1
      })
      await until(async () => {
        written += 1
        const data = `{ title: "new ${written}" }`
        await ask(service.admin, `mutation { updateNote(id: ${id}, data: ${data}) { data { id } } }`)
        return updates === told.length
      })
      await Promise.all(following)
      await Promise.all(told.map((each) => each.return?.()))
      await overSocket.dispose()
      overEvents.dispose()
    })

    it('executes queries and mutations over the socket, with what holds for requests', async () => {
      const { token } = await newApiToken(service, ['content:read', 'content:write'])
      const client = await openSocket(service.url, { headers: ownAddress(), token })
      client.send({ type: 'ping', payload: { x: 'x'.repeat(110_000) } })
      await until(() => client.of('pong').length === 1)
      const asked = async (id: string, payload: object) => {
        client.send({ id, type: 'subscribe', payload })
        await until(() => client.of('complete', id).length + client.of('error', id).length === 1)
        const [next] = client.of('next', id)
        return next === undefined ? client.of('error', id)[0].payload : next.payload
      }
      const query = 'mutation ($title: String) { createNote(data: { title: $title }) { data { id title } } }'
      const made = await asked('made', { query, variables: { title: 'over the socket' } })
      const { id } = made.data.createNote.data
      const find = 'query Find($id: ID!) { note(id: $id) { data { title } } } query Other { __typename }'
      assert.deepEqual(await asked('found', { query: find, operationName: 'Find', variables: { id } }), {
        data: { note: { data: { title: 'over the socket' } } },
      })
      const gone = await asked('partly', { query: '{ __typename } ' + 'fragment F on Query { nope }' })
      assert.equal(gone[0].extensions.code, 'VALIDATION_ERROR')
      const [denied] = [
        await asked('denied', { query: `mutation { deleteNote(id: ${id}) { data { id } } }` }),
      ]
      assert.equal(denied.errors[0].extensions.code, 'FORBIDDEN')
      const [wrong] = await asked('wrong', { query: '{ notes { data { id } } }', variables: [] })
      assert.equal(wrong.extensions.code, 'VALIDATION_ERROR')
      const logged = await service.admin.get(`/api/admin/audit-logs?resource=note:${id}&limit=10`)
      assert.deepEqual(
        logged.body.data.map(({ action }: { action: string }) => action),
        ['content.create'],
      )
      client.close()
    })

    it('speaks with clients that send everything over one socket', async () => {
      const { token } = await newApiToken(service, ['content:read', 'content:write'])
      const client = createWsClient({
        url: `${service.url.replace('http', 'ws')}/api/graphql`,
        webSocketImpl: WebSocket,
        connectionParams: { authorization: `Bearer ${token}` },
      })
      const one = async (query: string) => {
        for await (const { data } of client.iterate({ query }))
          return data as { [name: string]: { data: object } }
        throw new Error('was told nothing')
      }
      const many = Array.from({ length: 20 }, (_, index) =>
        one(`{ notes(limit: ${index + 1}) { data { id } } }`),
      )
      for (const answered of await Promise.all(many)) assert.ok(answered.notes?.data)
      await assert.rejects(one('{ nope }'))
      await client.dispose()
    })

    it('tells events over GET and POST, to those who accept them', async () => {
      const headers = { accept: 'text/event-stream', ...ownAddress() }
      const url = `${service.url}/api/graphql?query=${encodeURIComponent(notes)}`
      const stream = await readEventStream(url, headers)
      assert.equal(stream.status, 200)
      await create('over events')
      await stream.told('next', ({ data }) => data.noteChanged.entry.title === 'over events')
      await stream.close()
      const plain = await service.get(`/api/graphql?query=${encodeURIComponent(notes)}`)
      assert.equal(plain.status, 400)
      const query = await fetch(`${service.url}/api/graphql?query={notes{data{id}}}`, { headers })
      assert.match(query.headers.get('content-type') ?? '', /^application\/json/)
      const unknown = await readEventStream(`${url.replace('noteChanged', 'otherChanged')}`, headers)
      assert.equal(unknown.status, 401)
    })

    it(
      'holds nothing for who does not read, tells them the rest later, or closes them',
      slow,
      async (test) => {
        const headers = ownAddress()
        const [slow, lost, quick] = [
          await openSocket(service.url, { headers: ownAddress() }),
          await openSocket(service.url, { headers }),
          await openSocket(service.url, { headers: ownAddress() }),
        ]
        for (const client of [slow, lost, quick]) await client.subscribe('1', notes)
        slow.socket.pause()
        lost.socket.pause()
        const id = await create('first')
        const rounds = 24
        for (let round = 0; round < rounds; round++) {
          const title = `${round} ${'x'.repeat(500_000)}`
          expectStatus(await service.admin.put(`/api/content/note/${id}`, { title }), 200)
          await until(() => quick.events().at(-1)?.entry.title === title)
        }
        slow.socket.resume()
        await until(() =>
          slow
            .events()
            .at(-1)
            ?.entry.title.startsWith(`${rounds - 1} `),
        )
        assert.ok(slow.events().length < rounds, `${slow.events().length} events`)
        const now = performance.now.bind(performance)
        test.mock.method(performance, 'now', () => now() + 31_000)
        const others = [
          await openSocket(service.url, { headers }),
          await openSocket(service.url, { headers }),
        ]
        // There is room for one more connection once the one that is not read has been closed.
        await until(async () => (await new SocketClient(service.url, { headers }).opened()) === 101)
        lost.socket.resume()
        assert.equal(await lost.closedWith(), 1013)
        assert.equal(quick.closed, undefined)
        for (const client of [slow, quick, ...others]) client.close()
      },
    )

    it('closes connections when the service stops', async () => {
      const stopping = await startService({ adapter, schemas })
      await openToAll(stopping)
      const client = await openSocket(stopping.url)
      await client.subscribe('1', notes)
      const stream = await readEventStream(`${stopping.url}/api/graphql?query=${encodeURIComponent(notes)}`, {
        accept: 'text/event-stream',
      })
      await stopping.stop()
      assert.equal(await client.closedWith(), 1001)
      await until(() => stream.isClosed())
    })
  })
}

it('closes connections with more messages than it gets around to look at', async () => {
  const codes: number[] = []
  const live = { join: async () => undefined, leave() {} }
  const parts = { live, initTimeoutMs: () => 1_000, logFailure() {} }
  const connection = new Connection({ ip: '192.0.2.0', header: () => undefined }, parts as never)
  const close = (code: number) => {
    codes.push(code)
    connection.closed()
  }
  connection.opened({ isOpen: true, isFull: false, send() {}, ping() {}, close, cut() {} })
  for (let count = 0; count <= 200; count++) connection.message('{"type":"ping"}')
  assert.deepEqual(codes, [4429])
})

it('are absent where they are switched off, or nothing tells of changes', slow, async () => {
  for (const off of [
    { SVC_API_GRAPHQL_SUBSCRIPTIONS: 'false' },
    { SVC_PLUGINS_DISABLED: 'live' },
    { SVC_PLUGINS_DISABLED: 'changes,live,change-feed,panel-events,cache,cdn' },
  ]) {
    const service = await startService({ schemas, env: off })
    try {
      await openToAll(service)
      const { __schema } = await ask(service.admin, '{ __schema { subscriptionType { name } } }')
      assert.equal(__schema.subscriptionType, null)
      assert.notEqual(await new SocketClient(service.url).opened(), 101)
    } finally {
      await service.stop()
    }
  }
})

it('counts what is executed over a socket towards the rate limit', async () => {
  const limits = { SVC_RATE_LIMIT_ENABLED: 'true', SVC_RATE_LIMIT_MAX: '40' }
  const service = await startService({ schemas, env: limits })
  try {
    await openToAll(service)
    const client = await openSocket(service.url)
    const ids = Array.from({ length: 45 }, (_, index) => `q${index}`)
    for (const id of ids) client.send({ id, type: 'subscribe', payload: { query: '{ __typename }' } })
    const answered = (id: string) => client.of('complete', id).length + client.of('error', id).length > 0
    await until(() => ids.every(answered))
    const refused = ids.filter(
      (id) => client.of('error', id)[0]?.payload[0].extensions.code === 'RATE_LIMITED',
    )
    assert.ok(refused.length >= 5 && refused.length < ids.length, String(refused.length))
    client.close()
  } finally {
    await service.stop()
  }
})
