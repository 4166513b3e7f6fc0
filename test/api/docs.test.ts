import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { docsService, type OpenApiDocument } from '../../core-plugins/delivery/docs/docs.ts'
import { bodyValidator, httpService } from '../../core-plugins/foundation/http/http.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

interface Parameter {
  readonly name: string
  readonly style?: string
  readonly schema?: unknown
}

const localisedType = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { i18n: { enabled: true } },
  attributes: { title: { type: 'string' } },
}

describe('the API document', () => {
  let service: TestService
  let document: OpenApiDocument

  before(async () => {
    service = await startService()
    document = service.kernel.get(docsService).document()
  })
  after(() => service?.stop())

  const parametersOf = (path: string, method: 'get' | 'put' | 'delete') =>
    (document.paths[path]?.[method]?.parameters ?? []) as Parameter[]

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    assert.equal(valid, true, JSON.stringify(errors))
  })

  it(
    'is made of schemas that can be compiled, which the service itself does with their first value',
    slow,
    () => {
      for (const { name, params, query, body, response } of service.kernel.get(httpService).routes) {
        for (const schema of [params, query, body, response]) {
          if (schema !== undefined) assert.doesNotThrow(() => bodyValidator(schema), `a schema of ${name}`)
        }
      }
    },
  )

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
    assert.ok(operations > 300, `${operations}`)
    const { routes } = service.kernel.get(httpService)
    const expected = routes
      .map((route) => route.document?.().length ?? 1)
      .reduce((sum, count) => sum + count, 0)
    assert.equal(operations, expected)
  })

  it('has no pages, which are for people', () => {
    const pages = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap(({ responses }) => {
        const { content = {} } = (responses['200'] ?? {}) as { content?: object }
        return 'text/html' in content || 'text/javascript' in content ? [path] : []
      }),
    )
    assert.deepEqual(pages, [])
    for (const path of ['/admin', '/admin/', '/admin/{path}', '/_docs', '/_docs/sign-in', '/graphql/sign-in'])
      assert.equal(document.paths[path], undefined, path)
  })

  it('names what errors look like so that no language has the name already', () => {
    const { schemas } = document.components as { schemas: object }
    assert.ok('ApiError' in schemas && !('Error' in schemas))
  })

  it('puts the right article before every word', () => {
    const texts = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ summary, description = '' }) => [summary, description]),
    )
    assert.ok(texts.includes('Change an admin user'))
    // A word such as `user` or `one` begins with a consonant all the same.
    const wrong = texts.filter((text) => /\ba (?!us|uni|one\b)[aeiou]|\ban (?!hour)[^aeiou`\W]/i.test(text))
    assert.deepEqual(wrong, [])
  })

  it('of administrators has what content users may do, for which frontends are made', async () => {
    const { paths } = (await service.admin.get('/api/_docs/openapi.json')).body
    for (const path of ['/auth/refresh', '/auth/me', '/auth/change-password', '/admin/auth/me'])
      assert.ok(paths[path], path)
  })

  it('shows content per type', () => {
    assert.ok(document.paths['/content/article/{id}/publish']?.put)
    assert.ok(document.paths['/content/homepage']?.put)
    assert.equal(document.paths['/content/category/{id}/publish'], undefined)
  })

  it('shows what filters hold, what populated relations look like, and what heeds If-Match', () => {
    const { schemas } = document.components as {
      schemas: Record<string, { properties: Record<string, unknown> }>
    }
    const filters = parametersOf('/content/article', 'get').find(({ name }) => name === 'filters')
    const populate = parametersOf('/content/article/{id}', 'get').find(({ name }) => name === 'populate')
    for (const [parameter, name] of [
      [filters, 'article.filters'],
      [populate, 'article.populate'],
    ] as const) {
      assert.equal(parameter?.style, 'deepObject')
      const text = { type: 'string' }
      const { anyOf } = parameter.schema as { anyOf: unknown }
      assert.deepEqual(anyOf, [{ $ref: `#/components/schemas/${name}` }, text])
    }
    assert.match(
      JSON.stringify(schemas['article.populate']?.properties.author),
      /author\.filters".*author\.populate"/,
    )
    assert.match(
      JSON.stringify(schemas['article.populate']?.properties.blocks),
      /component\.shared\.image\.populate"/,
    )
    assert.match(JSON.stringify(schemas['article.filters']?.properties.author), /schemas\/author\.filters"/)
    assert.match(JSON.stringify(schemas.article?.properties.author), /schemas\/author"/)
    assert.match(JSON.stringify(schemas.article?.properties.cover), /schemas\/media"/)
    assert.ok(!JSON.stringify(document).includes('x-schema'))
    for (const [path, method] of [
      ['/content/article/{id}', 'put'],
      ['/content/article/{id}', 'delete'],
      ['/content/homepage', 'put'],
    ] as const) {
      assert.ok(
        parametersOf(path, method).some(({ name }) => name === 'If-Match'),
        `${method} ${path}`,
      )
    }
  })

  it('shows the media types that a body may have', () => {
    const typesOf = (path: string, method: 'post' | 'put') => {
      const { content = {} } = (document.paths[path]?.[method]?.requestBody ?? {}) as { content?: object }
      return Object.keys(content)
    }
    assert.deepEqual(typesOf('/content/article/import', 'post'), [
      'application/json',
      'application/x-ndjson',
      'text/csv',
    ])
    for (const path of ['/admin/transfer/packages/{id}', '/admin/transfer/files/{hash}'])
      assert.deepEqual(typesOf(path, 'put'), ['application/octet-stream'], path)
    for (const path of ['/upload', '/admin/backups/upload'])
      assert.deepEqual(typesOf(path, 'post'), ['multipart/form-data'], path)
    assert.deepEqual(typesOf('/content/article', 'post'), ['application/json'])
  })

  it('takes every streamed body as it is documented', () => {
    for (const { name, bodyMode, body, bodyTypes } of service.kernel.get(httpService).routes) {
      if (bodyMode !== 'stream') continue
      const isForm = (body as { type?: string } | undefined)?.type === 'object'
      assert.equal(bodyTypes === undefined, isForm, `${name}: a form has a body, anything else bodyTypes`)
    }
  })

  it('shows the parameters of plugins on aggregates, too', slow, async () => {
    const types = { 'note.json': localisedType }
    const localised = await startService({ schemas: types })
    try {
      const operation = localised.kernel.get(docsService).document().paths['/content/note/aggregate']?.get
      const names = ((operation?.parameters ?? []) as Parameter[]).map(({ name }) => name)
      assert.ok(names.includes('locale') && names.includes('filters'), names.join())
      const address = '/api/content/note/aggregate?function=count&locale=en'
      const fallback = names.includes('fallback') ? '&fallback=true' : ''
      assert.equal((await localised.admin.get(address + fallback)).status, 200)
    } finally {
      await localised.stop()
    }
  })

  it('is for whoever is signed in', async () => {
    assert.equal((await service.get('/api/_docs/openapi.json')).status, 401)
    assert.equal((await service.get('/api/_docs')).status, 401)
    const { status, body } = await service.admin.get('/api/_docs/openapi.json')
    assert.equal(status, 200)
    assert.equal(body.openapi, '3.1.1')
    const viewer = await service.admin.get('/api/_docs')
    assert.match(viewer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
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

  it('tells caches that the cookie counts where it does', async () => {
    for (const path of ['/api/_docs', '/api/_docs/openapi.json', '/api/graphql']) {
      for (const caller of [service, service.admin]) {
        assert.match((await caller.get(path)).headers.get('vary') ?? '', /^authorization, cookie\b/, path)
      }
    }
    assert.equal((await service.admin.get('/api/content/article')).headers.get('vary'), 'authorization')
  })
})
