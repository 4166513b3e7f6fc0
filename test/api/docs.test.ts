import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { docsService, type OpenApiDocument } from '../../core-plugins/docs/docs.ts'
import { httpService } from '../../core-plugins/http/http.ts'
import { startService, type TestService } from '../support/service.ts'

describe('the API document', () => {
  let service: TestService
  let document: OpenApiDocument

  before(async () => {
    service = await startService()
    document = service.kernel.get(docsService).document()
  })
  after(() => service?.stop())

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    assert.equal(valid, true, JSON.stringify(errors))
  })

  it('refers to nothing that it does not hold', () => {
    const text = JSON.stringify(document)
    const held = new Set(Object.keys((document.components as { schemas: object }).schemas))
    const wanted = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map((match) => match[1] ?? '')
    assert.deepEqual(
      wanted.filter((name) => !held.has(name)),
      [],
    )
    assert.ok(!text.includes('"$id"'))
  })

  it('has every route', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.keys(path)).length
    const { routes } = service.kernel.get(httpService)
    const expected = routes
      .map((route) => route.document?.().length ?? 1)
      .reduce((sum, count) => sum + count, 0)
    assert.equal(operations, expected)
  })

  it('shows content per type', () => {
    assert.ok(document.paths['/content/article/{id}/publish']?.put)
    assert.ok(document.paths['/content/homepage']?.put)
    assert.equal(document.paths['/content/category/{id}/publish'], undefined)
  })

  it('is for whoever is signed in', async () => {
    assert.equal((await service.get('/api/_docs/openapi.json')).status, 401)
    assert.equal((await service.get('/api/_docs')).status, 401)
    const { status, body } = await service.admin.get('/api/_docs/openapi.json')
    assert.equal(status, 200)
    assert.equal(body.openapi, '3.1.1')
    const viewer = await service.admin.get('/api/_docs')
    assert.match(viewer.headers.get('content-security-policy') ?? '', /default-src 'self'/)
    assert.match(viewer.body, /swagger-ui-bundle\.js/)
  })

  it('serves the scripts of the viewer and nothing else', async () => {
    for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'viewer.js', 'sign-in.js']) {
      assert.equal((await service.get(`/api/_docs/assets/${file}`)).status, 200, file)
    }
    for (const file of ['package.json', '__proto__', 'index.html']) {
      assert.equal((await service.get(`/api/_docs/assets/${file}`)).status, 404, file)
    }
    assert.equal((await service.get('/api/_docs/sign-in')).status, 200)
  })

  it('opens in a browser by the cookie of a login', async () => {
    const { adminEmail, adminPassword } = await import('../support/project.ts')
    const login = await service.post('/api/admin/auth/login', {
      identifier: adminEmail,
      password: adminPassword,
    })
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    assert.equal((await service.get('/api/_docs', { headers: { cookie } })).status, 200)
    assert.equal((await service.get('/api/content/article', { headers: { cookie } })).status, 401)
  })
})
