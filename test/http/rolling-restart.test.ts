import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { Type } from 'typebox'
import { defineRoute } from '../../core-plugins/foundation/http/http.ts'
import { adapters } from '../support/adapters.ts'
import { freePort } from '../support/free-port.ts'
import { nginxConfiguration, skipWithoutProxy, startNginx } from '../support/proxies.ts'
import { until } from '../support/until.ts'
import { startService, type TestService } from './service.ts'

/** Tells which process has answered. */
const routesOf = (port: number) => {
  const route = { access: 'open', summary: 'A route under test', path: '/thing' } as const
  const handler = async () => {
    await new Promise(setImmediate)
    return port
  }
  return [
    defineRoute({ ...route, name: 'test:thing.read', method: 'GET', handler }),
    defineRoute({ ...route, name: 'test:thing.create', method: 'POST', body: Type.Unknown(), handler }),
  ]
}

/** As in docs/deployment.md: `down` has no part in it. */
const inFrontOf = (ports: readonly number[], down?: number) =>
  `
upstream mortise {
${ports.map((port) => `  server 127.0.0.1:${port}${port === down ? ' down' : ''};`).join('\n')}
  keepalive 16;
  keepalive_timeout 5s;
}`

const server = (port: number) => `
server {
  listen 127.0.0.1:${port};
  location / {
    proxy_pass http://mortise;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
  }
}
`

async function ask(url: string, method: string): Promise<{ status: number | undefined; body: string }> {
  const sent = request(url, { method, agent: false, headers: { 'content-type': 'application/json' } })
  sent.end(method === 'POST' ? '{}' : undefined)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, body: await text(response) }
}

/** Clients that read and write all the time. */
function startClients(url: string) {
  const served = new Map<string, number>()
  const failures: unknown[] = []
  let isOver = false

  async function send(method: string) {
    while (!isOver) {
      try {
        const { status, body } = await ask(`${url}/api/thing`, method)
        if (status === 200) served.set(body, (served.get(body) ?? 0) + 1)
        else failures.push(`${method}: ${status} ${body}`)
      } catch (error) {
        failures.push(error)
      }
    }
  }

  const ended = Promise.all(['GET', 'POST', 'GET', 'POST', 'GET', 'POST'].map(send))
  return {
    failures,
    /** How many requests a process has answered. */
    servedBy: (port: number) => served.get(JSON.stringify({ success: true, data: port })) ?? 0,
    async end() {
      isOver = true
      await ended
    },
  }
}

for (const adapter of adapters) {
  const start = (port: number) =>
    startService({
      adapter,
      routes: routesOf(port),
      env: { PORT: String(port), SVC_SERVER_DRAIN_MS: '600000' },
    })

  describe(`two processes on ${adapter} behind nginx that keeps connections`, {
    skip: skipWithoutProxy('nginx'),
  }, () => {
    it('are restarted one after the other without a failed request', { timeout: 120_000 }, async () => {
      const ports = [await freePort(), await freePort()]
      const services = new Map<number, TestService>()
      for (const port of ports) services.set(port, await start(port))
      const proxy = await startNginx(({ port }) => inFrontOf(ports) + server(port))
      const clients = startClients(proxy.url)
      const servesMore = async (port: number) => {
        const before = clients.servedBy(port)
        await until(() => clients.servedBy(port) > before + 40, `the process on ${port} serves`)
      }
      for (const port of ports) {
        await servesMore(port)
        const hurry = new AbortController()
        const drained = services.get(port)?.http.drain(hurry.signal)
        // Not known to nginx yet, which goes on with the connections that it has kept.
        await servesMore(port)
        await proxy.reload(nginxConfiguration((place) => inFrontOf(ports, port) + server(place.port)))
        hurry.abort()
        await drained
        await services.get(port)?.stop()
        services.set(port, await start(port))
        await proxy.reload(nginxConfiguration((place) => inFrontOf(ports) + server(place.port)))
        await servesMore(port)
      }
      await clients.end()
      assert.deepEqual(clients.failures, [])
      await proxy.stop()
      for (const service of services.values()) await service.stop()
    })
  })
}
