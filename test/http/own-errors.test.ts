import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import {
  AppError,
  defineRoute,
  type ErrorReply,
  type Route,
} from '../../core-plugins/foundation/http/http.ts'
import { adapters } from '../support/adapters.ts'
import { startService, type TestService } from './service.ts'

/** A route that tells its errors by `tellError`, whatever that does. */
function routeOf(name: string, tellError: NonNullable<Route['tellError']>): Route {
  return defineRoute({
    ...{ name: `test:${name}.create`, path: `/${name}`, method: 'POST', access: 'open' },
    summary: 'A route under test',
    body: Type.Object({ id: Type.Integer(), title: Type.Optional(Type.String()) }),
    tellError,
    handler() {
      throw new AppError('CONFLICT', 'it is there already', {
        headers: { 'retry-after': '1', 'x-own': 'no' },
      })
    },
  })
}

const routes = [
  routeOf('faults', ({ code, details }, { body }) => ({
    text: JSON.stringify({ fault: code, paths: details?.map(({ path }) => path), body }),
    headers: { 'x-own': 'yes' },
  })),
  routeOf('thrown', () => {
    throw new Error('thrown on purpose')
  }),
  routeOf('bad-header', () => ({ text: '{}', headers: { 'x-own': 'a\r\nb: c' } })),
  routeOf('bad-text', () => ({ text: 7 }) as unknown as ErrorReply),
]

for (const adapter of adapters) {
  describe(`errors in the form of a route on ${adapter}`, () => {
    let service: TestService
    before(async () => {
      service = await startService({ adapter, routes })
    })
    after(() => service.stop())

    it('are told of whatever is found, with the status and the headers of the error', async () => {
      const broken = await service.post('/faults', '{')
      assert.deepEqual([broken.status, await broken.json()], [400, { fault: 'INVALID_JSON' }])
      const invalid = await service.post('/faults', '{"id":1,"title":2}')
      const told = { fault: 'VALIDATION_ERROR', paths: ['title'], body: { id: 1 } }
      assert.deepEqual([invalid.status, await invalid.json()], [400, told])
      const thrown = await service.post('/faults', '{"id":1}')
      assert.deepEqual([thrown.status, await thrown.json()], [409, { fault: 'CONFLICT', body: { id: 1 } }])
      assert.equal(thrown.headers.get('retry-after'), '1')
      assert.equal(thrown.headers.get('x-own'), 'yes')
    })

    it('are told as always where that fails', async () => {
      for (const name of ['thrown', 'bad-header', 'bad-text']) {
        const answer = await service.post(`/${name}`, '{"id":1}')
        assert.equal(answer.status, 409, name)
        const { success, error } = (await answer.json()) as { success: boolean; error: { code: string } }
        assert.deepEqual([success, error.code], [false, 'CONFLICT'], name)
        assert.equal(answer.headers.get('x-own'), 'no')
      }
    })
  })
}
