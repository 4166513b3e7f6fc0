import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import {
  type Access,
  AppError,
  anyScope,
  httpService,
  type Route,
} from '../../core-plugins/foundation/http/http.ts'
import { type Answer, createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus, newAdmin, newApiToken, newUser } from './auth-callers.ts'

/** Must be the JWT_SECRET of the service, so that tokens can be made here. */
const jwtSecret = 'the secret of the permission matrix'

const pluginsDirectory = join(import.meta.dirname, '../../plugins')

const callers = ['nobody', 'contentUser', 'readToken', 'fullToken', 'editor', 'admin', 'superAdmin'] as const
type Caller = (typeof callers)[number]

const isToken = (caller: Caller) => caller === 'readToken' || caller === 'fullToken'
const readScopes = ['content:read', 'media:read']

type Outcome = 401 | 403 | 'allowed'

/*
 * What is expected, written a second time and in another way than the guard does it: a table of who may use
 * which kind of route, and who holds which policy.
 */
const mayUse: Readonly<Record<Access, readonly Caller[]>> = {
  open: callers,
  user: ['contentUser'],
  'admin-user': ['editor', 'admin', 'superAdmin'],
  area: ['admin', 'superAdmin', 'fullToken', 'readToken'],
  'super-admin': ['superAdmin'],
  permission: callers,
}

/** Callers whose token is of the other system of accounts. */
const strangers: Readonly<Record<Access, readonly Caller[]>> = {
  open: [],
  user: ['editor', 'admin', 'superAdmin'],
  'admin-user': ['contentUser'],
  area: ['contentUser'],
  'super-admin': ['contentUser'],
  permission: [],
}

const editors: readonly Caller[] = ['editor', 'admin', 'superAdmin', 'fullToken']
const administrators: readonly Caller[] = ['admin', 'superAdmin', 'fullToken']

const holders: Readonly<Record<string, readonly Caller[]>> = {
  isAuthenticated: callers.filter((caller) => caller !== 'nobody'),
  isAdmin: administrators,
  isSuperAdmin: ['superAdmin'],
  isContentUser: ['contentUser'],
  'content.read': [...editors, 'readToken'],
  'content.readAny': [...editors, 'readToken'],
  'changes.follow': [...editors, 'readToken'],
  'content.describe': [...editors, 'readToken'],
  'content.revert': [...editors, 'readToken'],
  'content.create': editors,
  'content.update': editors,
  'content.check': editors,
  'content.delete': editors,
  'content.publish': editors,
  'content.localize': editors,
  'content.drafts': editors,
  // A token for one entry, which nobody here has.
  'content.preview': [],
  'content.administrate': administrators,
  'content.revisions': administrators,
  'live.follow': [...editors, 'readToken'],
  'graphql.use': [...editors, 'readToken'],
  'releases.read': editors,
  'releases.write': editors,
  'mcp.use': [...editors, 'readToken'],
  'media.read': [...editors, 'readToken'],
  'media.write': editors,
  'media.delete': editors,
  'reading-time.isReader': callers.filter((caller) => caller !== 'nobody'),
}

function expectedOutcome(route: Route, caller: Caller): Outcome {
  const refused = caller === 'nobody' || strangers[route.access].includes(caller) ? 401 : 403
  if (!mayUse[route.access].includes(caller)) return refused
  // Whoever may use it shows a cookie, which this caller does not.
  if (route.name === 'admin:auth.token') return 401
  if (route.access !== 'open' && isToken(caller) && !hasScope(caller, route.scope)) return refused
  const isHeld = (policy: string) => {
    const who = holders[policy]
    assert.ok(who, `the policy ${policy} is new: say in this test who holds it`)
    return who.includes(caller)
  }
  return (route.policies ?? []).every(isHeld) ? 'allowed' : refused
}

function hasScope(caller: Caller, scope: Route['scope']): boolean {
  const anyOf = [scope ?? []].flat()
  return (
    anyOf.length > 0 &&
    (caller === 'fullToken' || anyOf.some((each) => each === anyScope || readScopes.includes(each)))
  )
}

function outcomeOf({ status }: Answer): Outcome {
  return status === 401 || status === 403 ? status : 'allowed'
}

/** A path that leads to the route and to nothing that is there. */
function pathOf(route: Route): string {
  const values: Record<string, string> = { type: 'article', field: 'categories' }
  return route.path
    .replace(/:(\w+)/g, (_, name: string) => values[name] ?? '999999999')
    .replace(/\*$/, 'nothing')
}

interface Claims {
  readonly sub: string
  readonly typ: string
  readonly role: string
  readonly ver: number
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

function signed(claims: object, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const iat = Math.floor(Date.now() / 1000)
  const whole = { jti: randomUUID(), iat, exp: iat + 600, ...claims }
  const input = `${encode(header)}.${encode(whole)}`
  return `${input}.${createHmac('sha256', jwtSecret).update(input).digest('base64url')}`
}

describe('permission matrix', () => {
  let service: TestService
  let routes: readonly Route[]
  /** Makes a credential for one request: a route may end the session that it is called with. */
  let credentials: Readonly<Record<Caller, () => string | undefined>>
  let bad: Readonly<Record<string, string>>

  before(async () => {
    const socialLogin = { GOOGLE_CLIENT_ID: 'any', GOOGLE_CLIENT_SECRET: 'any' }
    const env = {
      JWT_SECRET: jwtSecret,
      SVC_PLUGINS_DIR: pluginsDirectory,
      SVC_MCP_ENABLED: 'true',
      ...socialLogin,
    }
    service = await startService({ env })
    const http = service.kernel.get(httpService)
    routes = http.routes.map((route) => ({ ...route, path: `${http.apiPrefix}${route.path}` }))
    const [user, editor, admin, superAdmin] = await Promise.all([
      newUser(service),
      newAdmin(service, 'editor'),
      newAdmin(service, 'admin'),
      newAdmin(service, 'super-admin'),
    ])
    const readToken = await newApiToken(service, readScopes)
    const fullToken = await newApiToken(service, ['admin:*'])
    const renewed = ({ token }: { token: string }) => {
      const { sub, typ, role, ver } = claimsOf(token)
      return () => signed({ sub, typ, role, ver })
    }
    credentials = {
      nobody: () => undefined,
      contentUser: renewed(user),
      readToken: () => readToken.token,
      fullToken: () => fullToken.token,
      editor: renewed(editor),
      admin: renewed(admin),
      superAdmin: renewed(superAdmin),
    }
    bad = await badCredentials(superAdmin, user)
  })
  after(() => service.stop())

  /** Tokens that must not be worth anything, each of somebody who might do everything with a good one. */
  async function badCredentials(superAdmin: { token: string }, user: { token: string }) {
    const { sub, typ, role, ver } = claimsOf(superAdmin.token)
    const claims = { sub, typ, role, ver }
    const revoked = signed(claims)
    expectStatus(await createClient(service.url, revoked).post('/api/admin/auth/logout'), 200)
    const deleted = await newApiToken(service, ['admin:*'])
    expectStatus(await service.admin.delete(`/api/admin/api-tokens/${deleted.id}`), 200)
    const good = signed(claims)
    const [, payload = '', signature = ''] = good.split('.')
    const raised = encode({ ...claimsOf(user.token), typ: 'admin', role: 'super-admin', sub: '1' })
    return {
      'alg none': `${encode({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      'alg none with a signature': signed(claims, { alg: 'none', typ: 'JWT' }),
      'a tampered payload': `${user.token.split('.')[0]}.${raised}.${user.token.split('.')[2]}`,
      'a tampered signature': `${good.slice(0, -signature.length)}${signature.split('').reverse().join('')}`,
      'an expired token': signed({ ...claims, exp: Math.floor(Date.now() / 1000) - 1 }),
      'a revoked token': revoked,
      'an outdated token': signed({ ...claims, ver: claims.ver - 1 }),
      'a token of another kind': signed({ ...claims, typ: 'service' }),
      'a token of nobody': signed({ ...claims, sub: '999999999' }),
      'a deleted API token': deleted.token,
      'no token at all': 'mor_',
    }
  }

  async function call(route: Route, token: string | undefined): Promise<Answer> {
    const client = createClient(service.url, token)
    // A stream that is opened does not end; a refusal does.
    const isStream = route.rawResponse === 'text/event-stream'
    const head = isStream ? await client.request('HEAD', pathOf(route)) : undefined
    if (head?.status === 200) return head
    // Broken JSON: whoever is let through is told so, and nothing happens.
    return client.request(route.method, pathOf(route), {
      ...(route.body === undefined ? {} : { body: '{', headers: { 'content-type': 'application/json' } }),
    })
  }

  for (const caller of callers) {
    it(`lets ${caller} do what the routes say`, slow, async () => {
      const wrong = []
      const texts = new Set<string>()
      for (const route of routes) {
        const answer = await call(route, credentials[caller]())
        const expected = expectedOutcome(route, caller)
        if (outcomeOf(answer) !== expected || answer.status === 500) {
          wrong.push(`${route.name}: ${answer.status}, expected ${expected}`)
        }
        if (answer.status === 403) texts.add(answer.body.error.message)
      }
      assert.deepEqual(wrong, [])
      assert.deepEqual([...texts], texts.size === 0 ? [] : [AppError.forbidden().message])
    })
  }

  it('lets nobody in with a credential that is worth nothing', slow, async () => {
    const wrong: string[] = []
    const tryAll = async ([what, token]: [string, string]) => {
      for (const route of routes) {
        const answer = await call(route, token)
        const expected = route.access === 'open' ? expectedOutcome(route, 'nobody') : 401
        if (outcomeOf(answer) !== expected) wrong.push(`${route.name} with ${what}: ${answer.status}`)
      }
    }
    await Promise.all(Object.entries(bad).map(tryAll))
    assert.deepEqual(wrong, [])
  })

  it('takes the session cookie on pages for browsers and a token of the panel only', slow, async () => {
    const headers = {
      cookie: `theme=dark; mortise_session=${credentials.superAdmin()}; x=y`,
      'sec-fetch-site': 'same-origin',
    }
    for (const route of routes.filter(({ access }) => access !== 'open')) {
      const answer = await createClient(service.url).request(route.method, pathOf(route), { headers })
      const isPage = route.method === 'GET' && /^(docs:|graphql:playground\.)/.test(route.name)
      const isForCookie = isPage || route.name === 'admin:auth.token'
      const expected = isForCookie ? 'allowed' : 401
      assert.equal(outcomeOf(answer), expected, route.name)
    }
  })

  it('is about all that matters', () => {
    assert.ok(routes.length > 40, String(routes.length))
    const names = routes.map(({ name }) => name)
    for (const name of [
      'admin:users.update',
      'content:entries.create',
      'auth:session.me',
      'seo:entry.check',
    ]) {
      assert.ok(names.includes(name), name)
    }
  })
})
