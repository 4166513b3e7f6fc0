import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defineRoute } from '../../core-plugins/foundation/http/http.ts'
import { createMemoryStore } from '../../core-plugins/foundation/http/requests/rate-limit.ts'
import { adapters } from '../support/adapters.ts'
import { openConnection, statusesIn } from './raw-connection.ts'
import { json, type ServiceOptions, startService, type TestService } from './service.ts'

const limited = { SVC_RATE_LIMIT_ENABLED: 'true', SVC_RATE_LIMIT_MAX: '3', SVC_RATE_LIMIT_WINDOW: '60000' }

const routes = [
  defineRoute({
    name: 'test:address.read',
    method: 'GET',
    path: '/address',
    summary: 'The address of the client',
    access: 'open',
    handler: ({ ip }) => ip,
  }),
]

const panelFile = defineRoute({
  name: 'test:file.read',
  method: 'GET',
  path: '/file',
  summary: 'A file of the panel',
  access: 'open',
  isUnlimited: true,
  handler: () => 'x',
})

async function withService(options: ServiceOptions, run: (service: TestService) => Promise<void>) {
  const service = await startService({ routes, ...options })
  try {
    await run(service)
  } finally {
    await service.stop()
  }
}

for (const adapter of adapters) {
  describe(`the rate limit on ${adapter}`, () => {
    it('is off unless it is switched on', () =>
      withService({ adapter }, async (service) => {
        for (let count = 0; count < 120; count++) assert.equal((await service.fetch('/address')).status, 200)
      }))

    it('refuses what is above it, whatever the path, and says when to come back', () =>
      withService({ adapter, env: limited }, async (service) => {
        const paths = ['/address', '/nowhere', '/address']
        const remaining: (string | null)[] = []
        for (const path of paths) {
          const response = await service.fetch(path)
          assert.equal(response.headers.get('ratelimit-limit'), '3')
          remaining.push(response.headers.get('ratelimit-remaining'))
        }
        assert.deepEqual(remaining, ['2', '1', '0'])
        const refused = await service.fetch('/address')
        assert.equal(refused.status, 429)
        assert.equal((await json(refused)).error.code, 'RATE_LIMITED')
        assert.equal(refused.headers.get('ratelimit-remaining'), '0')
        const seconds = Number(refused.headers.get('retry-after'))
        assert.ok(seconds > 50 && seconds <= 60)
        assert.equal(refused.headers.get('ratelimit-reset'), String(seconds))
      }))

    it('counts OPTIONS', () =>
      withService({ adapter, env: limited }, async (service) => {
        const ask = () => service.fetch('/address', { method: 'OPTIONS' })
        for (let count = 0; count < 3; count++) assert.equal((await ask()).status, 204)
        assert.equal((await ask()).status, 429)
        assert.equal((await service.fetch('/address')).status, 429)
      }))

    it('counts a /64 of IPv6 as one client', () =>
      withService({ adapter, env: { ...limited, SVC_SERVER_TRUST_PROXY: 'loopback' } }, async (service) => {
        const from = async (address: string) => {
          const response = await service.fetch('/address', { headers: { 'x-forwarded-for': address } })
          return response.headers.get('ratelimit-remaining')
        }
        assert.equal(await from('2001:db8::1'), '2')
        assert.equal(await from('2001:db8:0:0:ffff::9'), '1')
        assert.equal(await from('2001:db8:0:1::1'), '2')
        assert.equal(await from('192.0.2.1'), '2')
        assert.equal(await from('192.0.2.2'), '2')
      }))

    it('does not count what the panel consists of', () =>
      withService({ adapter, env: limited, routes: [...routes, panelFile] }, async (service) => {
        for (let count = 0; count < 10; count++) assert.equal((await service.fetch('/file')).status, 200)
        assert.equal((await service.fetch('/file')).headers.get('ratelimit-limit'), null)
        assert.equal((await service.fetch('/address')).headers.get('ratelimit-remaining'), '2')
      }))

    it('does not count probes', () =>
      withService({ adapter, env: limited }, async (service) => {
        for (let count = 0; count < 10; count++) assert.equal((await service.fetch('/readyz')).status, 200)
        assert.equal((await service.fetch('/address')).headers.get('ratelimit-remaining'), '2')
      }))

    it('is at least one', () =>
      withService({ adapter, env: { ...limited, SVC_RATE_LIMIT_MAX: '0' } }, async (service) => {
        assert.equal((await service.fetch('/address')).status, 200)
        assert.equal((await service.fetch('/address')).status, 429)
      }))

    it('follows the panel', () =>
      withService({ adapter }, async (service) => {
        service.change({ 'api.rateLimit.enabled': true, 'api.rateLimit.max': 1 })
        assert.equal((await service.fetch('/address')).status, 200)
        assert.equal((await service.fetch('/address')).status, 429)
        service.change({ 'api.rateLimit.enabled': true, 'api.rateLimit.max': 10 })
        assert.equal((await service.fetch('/address')).status, 200)
        service.change({})
        assert.equal((await service.fetch('/address')).headers.get('ratelimit-limit'), null)
      }))

    it('counts each client behind a trusted proxy for itself', () =>
      withService({ adapter, env: { ...limited, SVC_SERVER_TRUST_PROXY: 'loopback' } }, async (service) => {
        const from = (address: string) =>
          service.fetch('/address', { headers: { 'x-forwarded-for': address } })
        for (let count = 0; count < 3; count++) await from('203.0.113.7')
        assert.equal((await from('203.0.113.7')).status, 429)
        const other = await from('198.51.100.1, 203.0.113.8')
        assert.equal((await json(other)).data, '203.0.113.8')
      }))

    it('is not fooled by a line before that of the proxy', () =>
      withService({ adapter, env: { ...limited, SVC_SERVER_TRUST_PROXY: 'loopback' } }, async (service) => {
        const statuses: number[] = []
        for (let count = 0; count < 4; count++) {
          const lines = [`x-forwarded-for: 203.0.113.${count}`, 'X-Forwarded-For: 198.51.100.1']
          const connection = await openConnection(service.http.url)
          connection.write(['GET /api/address HTTP/1.1', 'host: x', ...lines, '', ''].join('\r\n'))
          statuses.push(...statusesIn(await connection.read()))
          connection.close()
        }
        assert.deepEqual(statuses, [200, 200, 200, 429])
      }))

    it('is not fooled by a header from nobody it trusts', () =>
      withService({ adapter, env: limited }, async (service) => {
        const statuses: number[] = []
        for (let count = 0; count < 4; count++) {
          const headers = { 'x-forwarded-for': `203.0.113.${count}` }
          statuses.push((await service.fetch('/address', { headers })).status)
        }
        assert.deepEqual(statuses, [200, 200, 200, 429])
      }))
  })
}

describe('the counts of the rate limit', () => {
  it('start anew when their window is over, and take no memory then', () => {
    let now = 1_000_000
    const store = createMemoryStore(() => now)
    assert.deepEqual(store.hit('a', 1000), { count: 1, resetInMs: 1000 })
    now += 400
    assert.deepEqual(store.hit('a', 1000), { count: 2, resetInMs: 600 })
    assert.deepEqual(store.hit('b', 1000), { count: 1, resetInMs: 1000 })
    now += 600
    assert.deepEqual(store.hit('a', 1000), { count: 1, resetInMs: 1000 })
  })
})
