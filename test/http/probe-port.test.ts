import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { defineRoute } from '../../core-plugins/foundation/http/http.ts'
import { StartupError } from '../../kernel/index.ts'
import { adapters } from '../support/adapters.ts'
import { createClient } from '../support/client.ts'
import { freePort } from '../support/free-port.ts'
import { startProcess, withProject } from '../support/process.ts'
import { haproxyServer, skipWithoutProxy, startHaproxy } from '../support/proxies.ts'
import { slow } from '../support/scope.ts'
import { startService as startWholeService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { openConnection, sendAndReadToEnd } from './raw-connection.ts'
import { type ServiceOptions, startService } from './service.ts'

const thing = defineRoute({
  name: 'test:thing.read',
  method: 'GET',
  path: '/thing',
  summary: 'A route under test',
  access: 'open',
  handler: () => 'served',
})

async function startWithProbes(options: ServiceOptions) {
  const port = await freePort()
  const env = { ...options.env, SVC_SERVER_PROBE_PORT: String(port) }
  const service = await startService({ ...options, routes: [thing], env })
  return { service, port, probes: `http://127.0.0.1:${port}` }
}

/** One of the processes that a process has started. */
function pidOfOne(parent: number | undefined): number {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' })
  return Number(children.trim().split(/\s+/)[0])
}

const statusOf = async (url: string, init?: RequestInit) => (await fetch(url, init)).status

for (const adapter of adapters) {
  describe(`the port of probes beside a server by ${adapter}`, () => {
    it('answers probes and nothing else, which the service answers as before', async () => {
      const { service, probes } = await startWithProbes({ adapter })
      for (const url of [probes, service.http.url]) {
        assert.equal(await statusOf(`${url}/api/livez`), 200)
        assert.equal(await statusOf(`${url}/api/readyz`), 200)
        assert.equal(await statusOf(`${url}/api/readyz`, { method: 'HEAD' }), 200)
        assert.equal(await statusOf(`${url}/api/readyz`, { method: 'POST' }), 405)
      }
      assert.equal(await statusOf(`${service.http.url}/api/thing`), 200)
      assert.equal(await statusOf(`${probes}/api/thing`), 404)
      assert.equal(await statusOf(`${probes}/`), 404)
      await service.stop()
    })

    it('answers HTTP/1.0 and whole addresses', async () => {
      const { service, probes } = await startWithProbes({ adapter })
      const old = await sendAndReadToEnd(probes, 'GET /api/readyz HTTP/1.0\r\n\r\n')
      assert.match(old, /^HTTP\/1\.1 200 .*"status":"ready"/s)
      const head = await sendAndReadToEnd(probes, 'HEAD /api/readyz HTTP/1.0\r\n\r\n')
      assert.match(head, /^HTTP\/1\.1 200 .*\r\n\r\n$/s)
      const ended = 'HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
      for (const [target, status] of [
        ['http://x.example/api/readyz', 200],
        ['HTTP://x.example/api/readyz?a=b', 200],
        ['http://x.example', 404],
        ['http://x.example?/api/readyz', 404],
        ['x.example/api/readyz', 400],
      ] as const) {
        const answer = await sendAndReadToEnd(probes, `GET ${target} ${ended}`)
        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), target)
      }
      await service.stop()
    })

    it('stays open while the service drains, and is not ready then', async () => {
      const { service, probes } = await startWithProbes({ adapter, env: { SVC_SERVER_DRAIN_MS: '60000' } })
      const hurry = new AbortController()
      const drained = service.http.drain(hurry.signal)
      assert.equal(await statusOf(`${probes}/api/readyz`), 503)
      assert.equal(await statusOf(`${probes}/api/livez`), 200)
      hurry.abort()
      await drained
      await service.stop()
      await assert.rejects(fetch(`${probes}/api/livez`))
    })

    it('has to be free, and another than that of the service', async () => {
      const holder = createServer().listen(0, '127.0.0.1')
      await once(holder, 'listening')
      const { port } = holder.address() as { port: number }
      const start = (env: Record<string, string>) => startService({ adapter, env })
      const says = (pattern: RegExp) => (error: unknown) => {
        assert.ok(error instanceof StartupError)
        assert.match(error.message, pattern)
        return true
      }
      await assert.rejects(
        start({ SVC_SERVER_PROBE_PORT: String(port) }),
        says(new RegExp(`SVC_SERVER_PROBE_PORT, HOST.*127\\.0\\.0\\.1:${port}`, 's')),
      )
      holder.close()
      await once(holder, 'close')
      await assert.rejects(
        start({ PORT: String(port), SVC_SERVER_PROBE_PORT: String(port) }),
        says(/SVC_SERVER_PROBE_PORT.*the port of the service itself/s),
      )
    })
  })
}

describe('the port of probes', () => {
  it('disconnects those who are too many, and serves again when they have gone', async () => {
    const { service, probes } = await startWithProbes({ adapter: 'node-http' })
    const idle = await Promise.all(Array.from({ length: 64 }, () => openConnection(probes)))
    assert.equal(await sendAndReadToEnd(probes, 'GET /api/livez HTTP/1.0\r\n\r\n'), '')
    for (const connection of idle) connection.close()
    await until(async () =>
      statusOf(`${probes}/api/livez`).then(
        (status) => status === 200,
        () => false,
      ),
    )
    await service.stop()
  })

  it('has metrics for those who may read them', async () => {
    const port = await freePort()
    const metricsToken = 'a token of the monitoring'
    const env = { SVC_SERVER_PROBE_PORT: String(port), METRICS_TOKEN: metricsToken }
    const service = await startWholeService({ env })
    const probes = `http://127.0.0.1:${port}`
    assert.equal((await createClient(probes).get('/api/metrics')).status, 401)
    const { status, body } = await createClient(probes, metricsToken).get('/api/metrics')
    assert.equal(status, 200)
    assert.match(body as string, /mortise_http_request_duration_seconds/)
    assert.equal((await createClient(probes).get('/api/database/status')).status, 200)
    assert.equal((await createClient(probes).get('/api/content/article')).status, 404)
    assert.equal((await createClient(probes).get('/admin')).status, 404)
    await service.stop()
  })

  it('is answered by several processes together', { ...slow, timeout: 120_000 }, async () => {
    await withProject({}, async (project) => {
      const port = await freePort()
      const env = { SVC_PROCESSES: '2', SVC_SERVER_PROBE_PORT: String(port), LOG_LEVEL: 'info' }
      const service = startProcess({ project, env })
      await service.ready()
      const listening = () => service.output().split('metrics are also on port').length - 1
      await until(() => listening() === 2)
      const killed = pidOfOne(service.process.pid)
      process.kill(killed, 'SIGKILL')
      await service.writes('a process died')
      for (let times = 0; times < 10; times++) {
        const answer = await sendAndReadToEnd(`http://127.0.0.1:${port}`, 'GET /api/readyz HTTP/1.0\r\n\r\n')
        assert.match(answer, /^HTTP\/1\.1 200 /)
      }
      assert.equal((await service.end('SIGTERM')).code, 0)
    })
  })
})

describe('HAProxy', { skip: skipWithoutProxy('haproxy') }, () => {
  /** With a check of its health, in front of a server at an address. */
  const start = (check: string, server: string) =>
    startHaproxy(
      ({ port }) => `
frontend outside
  bind 127.0.0.1:${port}
  default_backend inside
backend inside
  option httpchk ${check}
  server one ${server} inter 50ms fall 2 rise 1
`,
    )

  const startDraining = (adapter: ServiceOptions['adapter']) =>
    startWithProbes({ adapter, env: { SVC_SERVER_DRAIN_MS: '60000' } })

  it('keeps a service that is ready by its usual check, and takes it out while it drains', async () => {
    const { service, port } = await startDraining(adapters[0])
    const proxy = await start('GET /api/readyz', `${new URL(service.http.url).host} check port ${port}`)
    const state = () => haproxyServer(proxy, 'inside', 'one')
    await until(async () => (await state()).check === 'L7OK')
    assert.equal((await state()).status, 'UP')
    assert.equal(await statusOf(`${proxy.url}/api/thing`), 200)

    const hurry = new AbortController()
    const drained = service.http.drain(hurry.signal)
    await until(async () => (await state()).status === 'DOWN')
    assert.equal((await state()).check, 'L7STS')
    assert.equal(await statusOf(`${service.http.url}/api/thing`), 200)
    hurry.abort()
    await drained
    await service.stop()
    await proxy.stop()
  })

  it('can ask the port of the service, in HTTP/1.1', async () => {
    const { service } = await startDraining(adapters[0])
    const server = `${new URL(service.http.url).host} check`
    const newer = 'http-check send meth GET uri /api/readyz ver HTTP/1.1 hdr Host localhost'
    for (const [check, result] of [
      [`\n  ${newer}`, 'L7OK'],
      ['GET /api/readyz', 'L7STS'],
    ] as const) {
      const proxy = await start(check, server)
      await until(async () => (await haproxyServer(proxy, 'inside', 'one')).check === result)
      await proxy.stop()
    }
    await service.stop()
  })
})
