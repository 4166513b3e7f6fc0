import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { routeGuard } from '../../core-plugins/accounts/auth/roles/route-guard.ts'
import {
  type Access,
  AppError,
  defineRoute,
  type GuardRequest,
  type Policy,
  type Principal,
} from '../../core-plugins/foundation/http/http.ts'

const callers = {
  nobody: { kind: 'anonymous' },
  user: { kind: 'user', id: 1, username: 'u', role: 'authenticated' },
  editor: { kind: 'admin', id: 1, username: 'e', role: 'editor' },
  admin: { kind: 'admin', id: 2, username: 'a', role: 'admin' },
  superAdmin: { kind: 'admin', id: 3, username: 's', role: 'super-admin' },
  token: { kind: 'token', id: 1, name: 't', scopes: new Set(['admin:users:read']) },
  otherToken: { kind: 'token', id: 2, name: 'o', scopes: new Set(['content:read']) },
  fullToken: { kind: 'token', id: 3, name: 'f', scopes: new Set(['admin:*']) },
} as const satisfies Record<string, Principal>

type Caller = keyof typeof callers

const yes: Policy = { name: 'yes', check: () => true }
const no: Policy = { name: 'no', check: () => false }
const later: Policy = { name: 'later', check: async () => true }
const laterNo: Policy = { name: 'laterNo', check: async () => false }
const policies = new Map([yes, no, later, laterNo].map((policy) => [policy.name, policy]))

function guardOf(access: Access, options: { scope?: string; policies?: string[] } = {}) {
  const route = defineRoute({
    name: 'test:route.get',
    method: 'GET',
    path: '/test',
    summary: 'Test',
    access,
    handler: () => null,
    ...options,
  })
  return routeGuard.compile(route, policies)
}

function requestOf(caller: Caller): GuardRequest {
  const principal = callers[caller]
  const adminUser = principal.kind === 'admin' ? principal : undefined
  return { principal, adminUser, params: {}, method: 'GET', path: '/test', header: () => undefined }
}

async function outcome(check: ReturnType<typeof guardOf>, caller: Caller): Promise<number> {
  try {
    await check?.(requestOf(caller))
    return 200
  } catch (error) {
    if (error instanceof AppError) return error.status
    throw error
  }
}

async function outcomes(access: Access, options: { scope?: string; policies?: string[] } = {}) {
  const check = guardOf(access, options)
  const entries = Object.keys(callers).map(async (caller) => [caller, await outcome(check, caller as Caller)])
  return Object.fromEntries(await Promise.all(entries))
}

describe('route guard', () => {
  it('has nothing to say about open routes', () => {
    assert.equal(guardOf('open'), undefined)
  })

  it('lets content users alone into `user` routes', async () => {
    assert.deepEqual(await outcomes('user', { scope: 'admin:users:read' }), {
      ...{ nobody: 401, user: 200, editor: 401, admin: 401, superAdmin: 401 },
      ...{ token: 403, otherToken: 403, fullToken: 403 },
    })
  })

  it('lets every admin user but no token into `admin-user` routes', async () => {
    assert.deepEqual(await outcomes('admin-user', { scope: 'admin:users:read' }), {
      ...{ nobody: 401, user: 401, editor: 200, admin: 200, superAdmin: 200 },
      ...{ token: 403, otherToken: 403, fullToken: 403 },
    })
  })

  it('lets administrators and tokens with the scope into `area` routes', async () => {
    assert.deepEqual(await outcomes('area', { scope: 'admin:users:read' }), {
      ...{ nobody: 401, user: 401, editor: 403, admin: 200, superAdmin: 200 },
      ...{ token: 200, otherToken: 403, fullToken: 200 },
    })
    const { fullToken } = await outcomes('area')
    assert.equal(fullToken, 403, 'without a scope no token passes')
  })

  it('lets super-admins alone into `super-admin` routes', async () => {
    assert.deepEqual(await outcomes('super-admin', { scope: 'admin:users:read' }), {
      ...{ nobody: 401, user: 401, editor: 403, admin: 403, superAdmin: 200 },
      ...{ token: 403, otherToken: 403, fullToken: 403 },
    })
  })

  it('leaves `permission` routes to their policies, and asks tokens for the scope too', async () => {
    const options = { scope: 'admin:users:read', policies: ['yes', 'later'] }
    assert.deepEqual(await outcomes('permission', options), {
      ...{ nobody: 200, user: 200, editor: 200, admin: 200, superAdmin: 200 },
      ...{ token: 200, otherToken: 403, fullToken: 200 },
    })
  })

  it('refuses unless all policies hold, at once or later', async () => {
    for (const names of [['no'], ['yes', 'no'], ['later', 'no'], ['laterNo'], ['later', 'laterNo', 'yes']]) {
      const found = await outcomes('permission', { scope: 'admin:users:read', policies: names })
      assert.deepEqual(
        [found.nobody, found.user, found.superAdmin, found.token],
        [401, 403, 403, 403],
        names.join(),
      )
    }
  })

  it('asks the policies of open routes', async () => {
    const found = await outcomes('open', { policies: ['no'] })
    assert.deepEqual([found.nobody, found.superAdmin], [401, 403])
    assert.deepEqual(new Set(Object.values(await outcomes('open', { policies: ['yes'] }))), new Set([200]))
  })

  it('answers at once where the policies do', () => {
    const check = guardOf('permission', { policies: ['yes'] })
    assert.equal(check?.(requestOf('admin')), undefined)
  })

  it('does not start with a `permission` route that asks for nothing', () => {
    assert.throws(() => guardOf('permission'), /test:route\.get.*names no policies/)
  })

  it('does not start with a policy that nobody knows', () => {
    for (const access of ['permission', 'open', 'area'] as const) {
      assert.throws(() => guardOf(access, { policies: ['yes', 'maybe'] }), /test:route\.get.*maybe.*unknown/)
    }
  })
})
