import assert from 'node:assert/strict'
import { chmodSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import { defineRoute, routes } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { isQuiet, letAllRead, withPolicy } from '../cdn/cdn-world.ts'
import { SocketClient } from '../graphql/socket-client.ts'
import { adapters } from '../support/adapters.ts'
import { createClient, expectStatus } from '../support/client.ts'
import { readEventStream } from '../support/event-stream.ts'
import { freePort } from '../support/free-port.ts'
import {
  type ProxyName,
  type ProxyPlace,
  type RunningProxy,
  skipWithoutProxy,
  startNginx,
  startProxy,
} from '../support/proxies.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** Of live streams. */
const heartbeatMs = 25_000

const page = readFileSync(join(import.meta.dirname, '../../docs/proxies.md'), 'utf8')

/** The configuration that the page recommends, with the ports of the test. */
function documented(language: string, place: ProxyPlace, service: number): string {
  const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(page)?.[1]
  assert.ok(block, `docs/proxies.md has no block of ${language}`)
  const changed = block
    .replace(/(listen |bind :|^:|http_port )80\b/m, (_, before) =>
      before === 'bind :' || before === ':' ? `${before}${place.port}` : `${before}127.0.0.1:${place.port}`,
    )
    .replaceAll('2102', String(service))
  assert.notEqual(changed, block)
  return changed
}

const starts: Readonly<Record<ProxyName, (service: number) => Promise<RunningProxy>>> = {
  nginx: (service) => startNginx((place) => documented('nginx', place, service)),
  haproxy: (service) => startProxy('haproxy', (place) => documented('haproxy', place, service)),
  caddy: (service) =>
    startProxy('caddy', (place) => `{\nadmin off\n}\n${documented('caddy', place, service)}`),
  varnish: (service) => startProxy('varnish', (place) => documented('vcl', place, service)),
  squid: (service) => startProxy('squid', (place) => squidFile(place, service)),
}

/** Squid gives up the rights of root, and then writes its files as another user. */
function squidFile(place: ProxyPlace, service: number): string {
  chmodSync(place.directory, 0o777)
  const at = (name: string) => join(place.directory, name)
  return `${documented('squid', place, service)}
pid_filename ${at('pid')}
access_log none
cache_log ${at('cache.log')}
coredump_dir ${place.directory}
visible_hostname localhost
shutdown_lifetime 1 second
`
}

const callerPlugin = definePlugin({
  name: 'caller',
  description: 'Says who calls',
  register({ contribute }) {
    contribute(
      routes,
      defineRoute({
        name: 'caller:who',
        method: 'GET',
        path: '/x/caller',
        access: 'open',
        summary: 'Who calls',
        response: Type.Object({ ip: Type.String(), kind: Type.String() }),
        handler: ({ ip, principal: { kind } }) => ({ ip, kind }),
      }),
    )
  },
})

const note = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string' } },
  },
}
const schemas = withPolicy(note, { sMaxAge: 3_600, staleWhileRevalidate: 600 })

/** From another address of this machine, which no proxy has. */
function getFrom(localAddress: string, url: string, headers: Readonly<Record<string, string>>) {
  return new Promise<string>((resolve, reject) => {
    const asking = request(url, { localAddress, headers, agent: false }, (answer) =>
      text(answer).then(resolve, reject),
    )
    asking.once('error', reject)
    asking.end()
  })
}

const boundary = 'a-boundary'
const partHead = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="long.txt"\r\n\r\n`

/** Begins an upload, and sends as much of it as is asked for: the status of the answer. */
function upload(url: string, bytes: number, authorization: string) {
  return new Promise<number>((resolve, reject) => {
    const headers = {
      ...{ authorization, expect: '100-continue', 'content-length': bytes },
      'content-type': `multipart/form-data; boundary=${boundary}`,
    }
    const sending = request(url, { method: 'POST', agent: false, headers })
    sending.once('response', ({ statusCode = 0 }: IncomingMessage) => {
      resolve(statusCode)
      sending.destroy()
    })
    sending.once('error', reject)
    sending.once('continue', () => {
      sending.write(partHead)
      const rest = Readable.from(zeros(bytes - partHead.length), { objectMode: false })
      rest.pipe(sending)
    })
    sending.flushHeaders()
  })
}

function* zeros(bytes: number) {
  const chunk = Buffer.alloc(64 * 1024)
  for (let rest = bytes; rest > 0; rest -= chunk.length) yield chunk.subarray(0, Math.min(rest, chunk.length))
}

/** What every proxy has to let through. */
function passesAll(name: ProxyName, env: (port: number) => Readonly<Record<string, string>> = () => ({})) {
  let service: TestService
  let proxy: RunningProxy
  let token: string

  before(async () => {
    const port = await freePort()
    proxy = await starts[name](port)
    service = await startService({
      schemas,
      plugins: [callerPlugin],
      env: {
        PORT: String(port),
        SVC_SERVER_TRUST_PROXY: '["127.0.0.1"]',
        SVC_RATE_LIMIT_ENABLED: 'false',
        ...env(proxy.port),
      },
    })
    await letAllRead(service.admin, ['note'])
    const login = { identifier: 'admin@example.com', password: 'a long password for tests' }
    token = expectStatus(await service.post('/api/admin/auth/login', login), 200).body.data.token
    const isUp = async () => (await fetch(`${proxy.url}/api/livez`)).status === 200
    await until(isUp, `${name} has noticed that the service is up`)
  })
  after(async () => {
    await service.stop()
    await proxy.stop()
  })

  async function publish(title: string): Promise<number> {
    const { body } = expectStatus(await service.admin.post('/api/content/note', { title }), 201)
    expectStatus(await service.admin.put(`/api/content/note/${body.data.id}/publish`), 200)
    return body.data.id
  }

  it('everybody gets their own answer', async () => {
    await publish('seen by all')
    expectStatus(await service.admin.post('/api/content/note', { title: 'a draft' }), 201)
    const [anonymous, admin] = [createClient(proxy.url), createClient(proxy.url, token)]
    for (let round = 0; round < 5; round++) {
      for (const [client, kind] of [
        [anonymous, 'anonymous'],
        [admin, 'admin'],
      ] as const) {
        assert.equal((await client.get('/api/x/caller')).body.data.kind, kind)
      }
      const titles = async (client: typeof admin) =>
        (await client.get('/api/content/note?sort=id')).body.data.map(({ title }: { title: string }) => title)
      assert.deepEqual(await titles(anonymous), ['seen by all'])
      assert.deepEqual(await titles(admin), ['seen by all', 'a draft'])
    }
  })

  it('who calls is known, whatever they say', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const { ip } = JSON.parse(await getFrom('127.0.0.5', `${proxy.url}/api/x/caller`, headers)).data
    assert.equal(ip, '127.0.0.5')
  })

  it('an upload of 30 MB arrives, and one that is too large is refused by 413', async () => {
    const form = new FormData()
    form.append('file', new Blob([Buffer.alloc(30_000_000, 'text\n')]), 'long.txt')
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${proxy.url}/api/upload`, { method: 'POST', body: form, headers })
    assert.equal(answer.status, 201, await answer.text())
    assert.equal(await upload(`${proxy.url}/api/upload`, 70 * 1024 * 1024, headers.authorization), 413)
  })

  it('events of a live stream arrive, also of one that is resumed', async () => {
    const stream = await readEventStream(`${proxy.url}/api/live`)
    const { id = '' } = await stream.told('ready')
    await publish('told at once')
    await stream.told('change')
    await stream.close()
    const resumed = await readEventStream(`${proxy.url}/api/live`, { 'last-event-id': id })
    await resumed.told('ready')
    await resumed.told('change')
    await resumed.close()
  })

  it('a WebSocket opens', async () => {
    const client = new SocketClient(proxy.url)
    assert.equal(await client.opened(), 101)
    client.send({ type: 'connection_init' })
    await until(() => client.of('connection_ack').length === 1)
    client.socket.terminate()
  })

  it('what has not changed is answered by 304', async () => {
    const id = await publish('the same')
    const url = `${proxy.url}/api/content/note/${id}`
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    const again = await fetch(url, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
  })

  return { proxy: () => proxy, service: () => service, publish }
}

for (const name of ['nginx', 'haproxy', 'caddy', 'squid'] as const) {
  describe(`behind ${name}`, { skip: skipWithoutProxy(name) }, () => void passesAll(name))
}

describe('behind Varnish', { skip: skipWithoutProxy('varnish') }, () => {
  const world = passesAll('varnish', (port) => ({
    SVC_CDN_PROVIDER: 'varnish',
    SVC_CDN_URL: `http://127.0.0.1:${port}/`,
    SVC_CDN_SECOND_PURGE_MS: '0',
  }))

  const titleAt = async (path: string) => {
    const answer = await fetch(world.proxy().url + path)
    const { data } = (await answer.json()) as { readonly data?: { readonly title?: string } }
    return { title: data?.title, isHit: answer.headers.get('x-varnish')?.includes(' ') === true }
  }

  it('an answer is kept until it changes; what was unpublished is not shown again', async () => {
    const { admin } = world.service()
    const id = await world.publish('old')
    const path = `/api/content/note/${id}`
    const isKept = async () => (await titleAt(path)).isHit
    await until(() => isQuiet(world.service()))
    await until(isKept, 'the answer is kept')
    expectStatus(await admin.put(path, { title: 'new' }), 200)
    expectStatus(await admin.put(`${path}/publish`), 200)
    await until(async () => (await titleAt(path)).title === 'new', 'the edit is shown')
    await until(() => isQuiet(world.service()))
    await until(isKept, 'the new answer is kept')
    expectStatus(await admin.put(`${path}/unpublish`), 200)
    await until(() => isQuiet(world.service()), 'the CDN is purged')
    assert.equal((await titleAt(path)).title, undefined)
  })

  it('nobody else may purge', async () => {
    const { url } = world.proxy()
    const headers = { 'xkey-purge': 't', 'x-forwarded-for': '203.0.113.7' }
    assert.equal((await fetch(url, { method: 'PURGE', headers })).status, 403)
  })
})

/** With its configuration untouched, Varnish does not know of streams. */
describe('a live stream through a Varnish that knows nothing of it', {
  skip: skipWithoutProxy('varnish'),
}, () => {
  for (const adapter of adapters) {
    it(`tells at once what was missed and what happens (${adapter})`, async () => {
      const service = await startService({ schemas, adapter })
      const { port } = new URL(service.url)
      const proxy = await startProxy(
        'varnish',
        () => `vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "${port}"; }\n`,
      )
      try {
        await letAllRead(service.admin, ['note'])
        const create = async (title: string) => {
          const { body } = expectStatus(await service.admin.post('/api/content/note', { title }), 201)
          expectStatus(await service.admin.put(`/api/content/note/${body.data.id}/publish`), 200)
        }
        const before = await readEventStream(`${service.url}/api/live`)
        const { id = '' } = await before.told('ready')
        await create('missed')
        await before.told('change')
        await before.close()
        const resumed = await readEventStream(`${proxy.url}/api/live`, { 'last-event-id': id })
        const openedMs = performance.now()
        const { data } = await resumed.told('change')
        await create('told')
        await resumed.told('change', ({ position }) => position !== data.position)
        // What Varnish holds back comes with the next sign of life.
        assert.ok(performance.now() - openedMs < heartbeatMs / 2)
        await resumed.close()
      } finally {
        await proxy.stop()
        await service.stop()
      }
    })
  }
})
