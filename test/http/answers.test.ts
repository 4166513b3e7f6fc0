import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import {
  AppError,
  created,
  defineRoute,
  page,
  Reply,
  type Route,
} from '../../core-plugins/foundation/http/http.ts'
import { adapters } from '../support/adapters.ts'
import { json, startService, type TestService } from './service.ts'

const open = { access: 'open', summary: 'A route under test' } as const

const routes: readonly Route[] = [
  defineRoute({ ...open, name: 'test:plain.read', method: 'GET', path: '/plain', handler: () => ({ a: 1 }) }),
  defineRoute({
    ...open,
    name: 'test:thing.read',
    method: 'GET',
    path: '/things/:id',
    params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
    query: Type.Object({ limit: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
    handler: ({ params, query }) => ({ ...params, ...query }),
  }),
  defineRoute({
    ...open,
    name: 'test:thing.create',
    method: 'POST',
    path: '/things',
    body: Type.Object(
      { title: Type.String(), size: Type.Optional(Type.Integer()) },
      { additionalProperties: false },
    ),
    handler: async ({ body }) => created(body),
  }),
  defineRoute({
    ...open,
    name: 'test:list.read',
    method: 'GET',
    path: '/list',
    handler: () => page([1], { limit: 1, hasMore: false, total: 1, offset: 0 }),
  }),
  defineRoute({
    ...open,
    name: 'test:text.read',
    method: 'GET',
    path: '/text',
    handler: () => new Reply(200, { kind: 'data', data: { b: 2 } }, { etag: '"v7"' }),
  }),
  defineRoute({
    ...open,
    name: 'test:failure.read',
    method: 'GET',
    path: '/failure',
    handler: () => {
      throw new Error('the password of the database is secret')
    },
  }),
  defineRoute({
    ...open,
    name: 'test:full.read',
    method: 'GET',
    path: '/full',
    handler: () => writeFile('/dev/full', 'x'),
  }),
  defineRoute({
    ...open,
    name: 'test:conflict.read',
    method: 'GET',
    path: '/conflict',
    handler: async () => {
      throw new AppError('CONFLICT', 'there is one already')
    },
  }),
  defineRoute({
    ...open,
    name: 'test:untyped.read',
    method: 'GET',
    path: '/untyped',
    handler: () => {
      throw new AppError('CONFLICT', 7 as never, { details: [{ path: undefined, code: 'x' } as never] })
    },
  }),
]

for (const adapter of adapters) {
  describe(`answers of ${adapter}`, () => {
    let service: TestService
    before(async () => {
      service = await startService({ adapter, routes })
    })
    after(() => service.stop())

    it('wraps data in the envelope', async () => {
      const response = await service.fetch('/plain')
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
      assert.deepEqual(await response.json(), { success: true, data: { a: 1 } })
    })

    it('keeps a harmless request id and makes one otherwise', async () => {
      const kept = await service.fetch('/plain', { headers: { 'x-request-id': 'abc-1' } })
      assert.equal(kept.headers.get('x-request-id'), 'abc-1')
      const made = await service.fetch('/plain', { headers: { 'x-request-id': 'a b' } })
      assert.match(made.headers.get('x-request-id') ?? '', /^[\w-]+$/)
    })

    it('converts params and query', async () => {
      const response = await service.fetch('/things/7?limit=3')
      assert.deepEqual(await response.json(), { success: true, data: { id: 7, limit: 3 } })
    })

    for (const id of ['0', '-1', '1e0', '01', '0x1', 'x', '%201', '1.0', '99999999999999999999']) {
      it(`answers 404 for the id ${id}`, async () => {
        const answer = await service.fetch(`/things/${id}`)
        assert.equal(answer.status, 404)
        assert.match(await answer.text(), /"message":"id [^"]+ not found"/)
      })
    }

    it('refuses unknown and unreadable query parameters', async () => {
      for (const query of ['nope=1', 'limit=x', 'limit=0x10', 'limit=%20', 'limit=%ff', 'a[b=1']) {
        const response = await service.fetch(`/things/7?${query}`)
        assert.equal(response.status, 400, query)
        assert.equal((await json(response)).error.code, 'VALIDATION_ERROR')
      }
    })

    it('tells all problems of a body at once', async () => {
      const response = await service.post('/things', '{"size":"x","extra":1}')
      assert.equal(response.status, 400)
      const { error } = await json(response)
      const paths = error.details.map(({ path }: { path: string }) => path).sort()
      assert.deepEqual(paths, ['extra', 'size', 'title'])
    })

    it('answers 201 with what was made', async () => {
      const response = await service.post('/things', '{"title":"é"}')
      assert.equal(response.status, 201)
      assert.deepEqual(await response.json(), { success: true, data: { title: 'é' } })
    })

    it('refuses JSON that is broken or dangerous', async () => {
      const cases = ['{', '{"a":1,}', '{"__proto__":{"x":1}}', '['.repeat(1000), '"\u0001"']
      for (const body of cases) {
        const response = await service.post('/things', body)
        assert.equal(response.status, 400, body.slice(0, 20))
        assert.equal((await json(response)).error.code, 'INVALID_JSON')
      }
    })

    it('puts pagination beside the data', async () => {
      const { pagination } = await json(await service.fetch('/list'))
      assert.deepEqual(pagination, { limit: 1, hasMore: false, total: 1, offset: 0 })
    })

    it('answers 304 to a tag it gave', async () => {
      for (const path of ['/plain', '/text']) {
        const etag = (await service.fetch(path)).headers.get('etag') ?? ''
        assert.notEqual(etag, '')
        const again = await service.fetch(path, { headers: { 'if-none-match': etag } })
        assert.equal(again.status, 304)
        assert.equal(await again.text(), '')
      }
    })

    it('says nothing of the inside when a handler fails', async () => {
      const response = await service.fetch('/failure')
      assert.equal(response.status, 500)
      const text = await response.text()
      assert.ok(!text.includes('password'))
      assert.equal(JSON.parse(text).error.requestId, response.headers.get('x-request-id'))
    })

    it('turns an AppError into its status', async () => {
      const response = await service.fetch('/conflict')
      assert.equal(response.status, 409)
      assert.equal((await json(response)).error.code, 'CONFLICT')
    })

    it('answers an AppError whose texts are none', async () => {
      const response = await service.fetch('/untyped')
      assert.equal(response.status, 409)
      assert.equal((await json(response)).error.message, '7')
    })

    it('tells that a disk is full', { skip: !existsSync('/dev/full') }, async () => {
      const response = await service.fetch('/full')
      assert.equal(response.status, 507)
      assert.equal((await json(response)).error.code, 'STORAGE_FULL')
    })

    it('tells an unknown path from another method', async () => {
      assert.equal((await service.fetch('/nowhere')).status, 404)
      const response = await service.fetch('/plain', { method: 'DELETE' })
      assert.equal(response.status, 405)
      assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS')
    })

    it('answers HEAD as GET without the body', async () => {
      const response = await service.fetch('/plain', { method: 'HEAD' })
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('content-length'), '31')
      assert.equal(await response.text(), '')
    })

    it('is ready', async () => {
      assert.equal((await service.fetch('/readyz')).status, 200)
      assert.equal((await service.fetch('/livez')).status, 200)
    })
  })
}
