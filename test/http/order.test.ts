import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import {
  AppError,
  adminMiddleware,
  authenticators,
  defineRoute,
  type Principal,
  policies,
  type Route,
  routeGuards,
} from '../../core-plugins/foundation/http/http.ts'
import { StartupError } from '../../kernel/index.ts'
import { adapters } from '../support/adapters.ts'
import { json, startService, type TestService } from './service.ts'

const admin: Principal = { kind: 'admin', id: 7, username: 'ada', role: 'admin' }

/** `Authorization: ada` is known at once, `later ada` after a while, anything else is wrong. */
const authenticator = {
  authenticate(request: { header(name: string): string | undefined }) {
    const value = request.header('authorization')
    if (value === undefined) return undefined
    if (value === 'ada') return admin
    if (value === 'later ada') return Promise.resolve(admin)
    throw new AppError('UNAUTHENTICATED', 'unknown')
  },
}

/** Refuses anonymous callers; holds the policies of the route, which may take their time. */
const guard = {
  compile(route: Route, named: ReadonlyMap<string, { check(request: never): boolean | Promise<boolean> }>) {
    if (route.access === 'open' || route.name === 'test:unguarded.read') return undefined
    return async ({ principal }: { principal: Principal }) => {
      if (principal.kind === 'anonymous') throw new AppError('UNAUTHENTICATED', 'sign in')
      for (const name of route.policies ?? []) {
        if (!(await named.get(name)?.check({ principal } as never))) throw new AppError('FORBIDDEN', 'no')
      }
    }
  },
}

const strictBody = Type.Object({ title: Type.String() }, { additionalProperties: false })

const routes: readonly Route[] = [
  defineRoute({
    name: 'test:open.read',
    method: 'GET',
    path: '/open',
    summary: 'For anyone',
    access: 'open',
    handler: ({ principal }) => principal,
  }),
  defineRoute({
    name: 'test:thing.create',
    method: 'POST',
    path: '/things/:id',
    summary: 'For some',
    access: 'permission',
    policies: ['isAda'],
    params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
    body: strictBody,
    handler: ({ principal, body, params }) => ({ principal, body, params }),
  }),
  defineRoute({
    name: 'test:never.read',
    method: 'GET',
    path: '/never',
    summary: 'For nobody',
    access: 'permission',
    policies: ['isNobody'],
    handler: () => 'reached',
  }),
  defineRoute({
    name: 'test:unguarded.read',
    method: 'GET',
    path: '/unguarded',
    summary: 'No guard knows it',
    access: 'permission',
    handler: () => 'reached',
  }),
  defineRoute({
    name: 'admin:things.read',
    method: 'GET',
    path: '/admin/things',
    summary: 'With admin middleware',
    access: 'open',
    handler: () => ['core'],
  }),
]

for (const adapter of adapters) {
  describe(`the order of one request on ${adapter}`, () => {
    let service: TestService
    before(async () => {
      service = await startService({
        adapter,
        routes,
        contribute({ contribute }) {
          contribute(authenticators, authenticator)
          contribute(routeGuards, guard)
          contribute(policies, { name: 'isAda', check: async () => true })
          contribute(policies, { name: 'isNobody', check: () => false })
          contribute(adminMiddleware, {
            name: 'marks what it sees',
            matches: (route) => route.name.startsWith('admin:'),
            run: async (_, next) => ['around', ...((await next()) as string[])],
          })
        },
      })
    })
    after(() => service.stop())

    const post = (path: string, body: string, authorization?: string) =>
      service.fetch(path, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          ...(authorization === undefined ? {} : { authorization }),
        },
      })

    it('lets a caller in whom it knows at once or later', async () => {
      for (const authorization of ['ada', 'later ada']) {
        const response = await post('/things/1', '{"title":"x"}', authorization)
        const { data } = await json(response)
        assert.deepEqual(data, { principal: admin, body: { title: 'x' }, params: { id: 1 } })
      }
    })

    it('checks the caller before the path, the body and its type', async () => {
      for (const path of ['/things/1', '/things/none']) {
        for (const body of ['{', '{"wrong":1}']) {
          assert.equal((await post(path, body)).status, 401)
          assert.equal((await post(path, body, 'eve')).status, 401)
        }
      }
      assert.equal((await post('/things/none', '{', 'ada')).status, 404)
      assert.equal((await post('/things/1', '{', 'ada')).status, 400)
    })

    it('refuses where a policy does not hold', async () => {
      const response = await service.fetch('/never', { headers: { authorization: 'ada' } })
      assert.equal(response.status, 403)
    })

    it('refuses everybody where no guard has anything to say', async () => {
      const response = await service.fetch('/unguarded', { headers: { authorization: 'ada' } })
      assert.equal(response.status, 403)
      assert.equal((await json(response)).error?.message, AppError.forbidden().message)
    })

    it('ignores bad credentials where none are needed', async () => {
      const response = await service.fetch('/open', { headers: { authorization: 'eve' } })
      assert.deepEqual((await json(response)).data, { kind: 'anonymous' })
    })

    it('runs the admin middleware that matches the route', async () => {
      assert.deepEqual((await json(await service.fetch('/admin/things'))).data, ['around', 'core'])
    })

    it('adds request id and CORS headers to a refusal', async () => {
      const response = await service.fetch('/never', { headers: { origin: 'https://a.example' } })
      assert.equal(response.status, 401)
      assert.equal(response.headers.get('access-control-allow-origin'), '*')
      assert.notEqual(response.headers.get('x-request-id'), null)
    })
  })
}

describe('routes that do not fit together', () => {
  const route = (name: string, path: string, more: Partial<Route> = {}) =>
    defineRoute({ name, path, method: 'GET', summary: 's', access: 'open', handler: () => 1, ...more })

  it('keep the service from starting, all of them at once', async () => {
    const start = startService({
      adapter: 'node-http',
      routes: [
        route('a:b.c', '/one'),
        route('a:b.c', '/two'),
        route('a:b.d', '/one'),
        route('a:b.e', '/three/'),
        route('a:b.f', '/four', { policies: ['isMissing'] }),
      ],
    })
    await assert.rejects(start, (error) => {
      assert.ok(error instanceof StartupError)
      const subjects = error.problems.map(({ subject }) => subject)
      assert.deepEqual(subjects, ['route a:b.c', 'route GET /api/one', 'route a:b.e', 'route a:b.f'])
      assert.match(error.message, /isMissing/)
      return true
    })
  })
})
