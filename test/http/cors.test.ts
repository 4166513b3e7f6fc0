import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adapters } from '../support/adapters.ts'
import { type ServiceOptions, startService, type TestService } from './service.ts'

const page = 'https://app.example.com'

const preflight = {
  method: 'OPTIONS',
  headers: { origin: page, 'access-control-request-method': 'PUT' },
}

async function withService(options: ServiceOptions, run: (service: TestService) => Promise<void>) {
  const service = await startService(options)
  try {
    await run(service)
  } finally {
    await service.stop()
  }
}

for (const adapter of adapters) {
  describe(`pages of other origins on ${adapter}`, () => {
    it('may call anything in development, without credentials', () =>
      withService({ adapter }, async (service) => {
        const response = await service.fetch('/livez', { headers: { origin: page } })
        assert.equal(response.headers.get('access-control-allow-origin'), '*')
        assert.equal(response.headers.get('access-control-allow-credentials'), null)
        assert.match(response.headers.get('access-control-expose-headers') ?? '', /etag/)
        const asked = await service.fetch('/livez', preflight)
        assert.equal(asked.status, 204)
        assert.match(asked.headers.get('access-control-allow-methods') ?? '', /PUT/)
        assert.match(asked.headers.get('access-control-allow-headers') ?? '', /authorization/)
      }))

    it('may call nothing in production', () =>
      withService({ adapter, env: { NODE_ENV: 'production' } }, async (service) => {
        const response = await service.fetch('/livez', { headers: { origin: page } })
        assert.equal(response.status, 200)
        assert.equal(response.headers.get('access-control-allow-origin'), null)
        assert.equal(response.headers.get('vary'), 'origin')
        const asked = await service.fetch('/livez', preflight)
        assert.equal(asked.headers.get('access-control-allow-methods'), null)
      }))

    it('may call what their origin is listed for', () =>
      withService(
        { adapter, env: { NODE_ENV: 'production', SVC_CORS_ORIGINS: JSON.stringify([`${page}/`]) } },
        async (service) => {
          const listed = await service.fetch('/livez', { headers: { origin: page } })
          assert.equal(listed.headers.get('access-control-allow-origin'), page)
          assert.equal(listed.headers.get('vary'), 'origin')
          const others = ['https://app.example.com.evil.example', 'http://app.example.com', 'null']
          for (const origin of others) {
            const response = await service.fetch('/livez', { headers: { origin } })
            assert.equal(response.headers.get('access-control-allow-origin'), null, origin)
          }
        },
      ))

    it('may do so as soon as the panel allows it', () =>
      withService({ adapter, env: { NODE_ENV: 'production' } }, async (service) => {
        service.change({ 'api.cors.origins': [page] })
        const allowed = await service.fetch('/livez', { headers: { origin: page } })
        assert.equal(allowed.headers.get('access-control-allow-origin'), page)
        service.change({})
        const refused = await service.fetch('/livez', { headers: { origin: page } })
        assert.equal(refused.headers.get('access-control-allow-origin'), null)
      }))

    it('learn the methods of a path', () =>
      withService({ adapter }, async (service) => {
        const response = await service.fetch('/livez', { method: 'OPTIONS' })
        assert.equal(response.status, 204)
        assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS')
        assert.equal(response.headers.get('access-control-allow-methods'), null)
        assert.equal((await service.fetch('/nowhere', { method: 'OPTIONS' })).status, 404)
      }))
  })
}
