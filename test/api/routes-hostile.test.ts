import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { TSchema } from 'typebox'
import { httpService, type Route } from '../../core-plugins/foundation/http/http.ts'
import { type Answer, type Client, createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { expectStatus, newAdmin, newUser } from './auth-callers.ts'

/** Must be the JWT_SECRET of the service, so that tokens can be made here. */
const jwtSecret = 'the secret of the hostile routes, long'

const pluginsDirectory = join(import.meta.dirname, '../../plugins')

const texts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e🎈é',
  "' or '1'='1",
  '%',
  'null',
  'true',
  'NaN',
  '-1',
  '0',
  '1.5',
  '1e3',
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
  '9'.repeat(400),
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '{"a":1}',
  '0000-00-00T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59.999Z',
  'x'.repeat(3_000),
]

const deep = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

/** Values of a body, as JSON: what `JSON.stringify` could not say is among them. */
const values = [
  ...texts.map((text) => JSON.stringify(text)),
  ...['null', 'true', '0', '-1', '1.5', '1e400', '1e19', '9007199254740993', '-0'],
  ...[
    '[]',
    '[null]',
    '[[]]',
    '["\\u0000"]',
    '{}',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":1}}',
  ],
  ...['{"a":{"b":{"c":[1]}}}', deep(25), deep(2_000), JSON.stringify('y'.repeat(100_000))],
  JSON.stringify(Array.from({ length: 5_000 }, (_, index) => index)),
]

const bodies = [
  '',
  '{',
  'null',
  '1',
  '"text"',
  '[]',
  '[{}]',
  '{}',
  '{"nope":1}',
  '{"__proto__":{"a":1}}',
  deep(5_000),
]

/** Would make every request after it a stranger's, or load the service with other data. */
const skipped = new Set([
  ...['auth:session.logout', 'admin:session.logout', 'admin:backups.restore'],
  // Takes the cookie only, and refuses the token that everything is sent with.
  'admin:auth.token',
])

/** Looks for the session itself, which the tokens that are made here do not have. */
const withSession = 'content:preview-token.create'

/** Every byte that could mean something, encoded; halves of surrogate pairs as UTF-8 cannot have them. */
const encode = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** Something that a property may be, so that the others are looked at as well. */
function sampleOf(name: string, schema: TSchema): unknown {
  if (name === 'contentType') return 'article'

  const { type, const: constant, enum: all, anyOf } = schema as Record<string, unknown>
  if (constant !== undefined) return constant
  if (Array.isArray(all)) return all[0]
  if (Array.isArray(anyOf)) return sampleOf(name, anyOf[0])
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'array') return []
  return type === 'object' ? {} : 'text'
}

function propertiesOf(schema: unknown): Record<string, TSchema> {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, TSchema> }
  return properties
}

interface Claims {
  readonly sub: string
  readonly typ: string
  readonly role: string
  readonly ver: number
}

const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

eachDatabase((database) => {
  let service: TestService
  let routes: readonly Route[]
  let admin: Claims
  let user: Claims
  let sessionToken: string
  const faults: string[] = []

  before(async () => {
    const socialLogin = { GOOGLE_CLIENT_ID: 'any', GOOGLE_CLIENT_SECRET: 'any' }
    const env = { JWT_SECRET: jwtSecret, SVC_PLUGINS_DIR: pluginsDirectory, ...socialLogin }
    service = await startService({ database: database.name, env })
    const http = service.kernel.get(httpService)
    routes = http.routes
      .filter(({ name }) => !skipped.has(name))
      .map((route) => ({ ...route, path: `${http.apiPrefix}${route.path}` }))
    // The accounts that are called with are not those that the paths name.
    await newUser(service)
    admin = claimsOf((await newAdmin(service, 'super-admin')).token)
    user = claimsOf((await newUser(service)).token)
    sessionToken = (await newAdmin(service, 'super-admin')).token
    for (const [path, body] of [
      ['/api/content/article', { title: 'One', slug: 'one' }],
      ['/api/content/article/1/comments', { body: 'a comment' }],
      ['/api/content/article/1/assignments', { userId: 1, role: 'author' }],
      ['/api/admin/content-releases', { name: 'one' }],
      ['/api/media-folders', { name: 'one' }],
      ['/api/webhooks', { name: 'one', url: 'http://127.0.0.1:9/', events: ['entry.create'] }],
    ] as const) {
      expectStatus(await service.admin.post(path, body), 201)
    }
  })
  after(() => service.stop())

  /** A session of its own for each request: some routes end the one that they are called with. */
  function caller({ access, name }: Route): Client {
    if (name === withSession) return createClient(service.url, sessionToken)
    const iat = Math.floor(Date.now() / 1000)
    const { sub, typ, role, ver } = access === 'user' ? user : admin
    const whole = { sub, typ, role, ver, jti: randomUUID(), iat, exp: iat + 600 }
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const input = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(whole)}`
    const signature = createHmac('sha256', jwtSecret).update(input).digest('base64url')
    return createClient(service.url, `${input}.${signature}`)
  }

  function assertHandled({ name, access }: Route, what: string, { status, body }: Answer): void {
    // Whoever is refused at the door has not tried anything.
    const isLetIn = access === 'open' || (status !== 401 && status !== 403)
    const isOrderly = isLetIn && status < 500 && (status < 400 || isProblem(name, body))
    if (!isOrderly)
      faults.push(`${name} ${what.slice(0, 120)}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
  }

  function isProblem(name: string, body: Answer['body']): boolean {
    if (name.startsWith('graphql:')) return body.error !== undefined || body.errors !== undefined
    return typeof body === 'string' || typeof body.error?.code === 'string'
  }

  /**
   * Each place gets every third, other places others, so that all are sent to every kind of place. The other
   * databases get fewer: what schemas refuse never gets there.
   */
  const shareOf = <T>(all: readonly T[], place: number): readonly T[] =>
    all.filter((_, index) => index % share === place % share)
  const share = database.name === 'sqlite' ? 3 : 12

  /** A path to what is there, with `hostile` in place of one parameter. */
  function pathOf({ path }: Route, parameter = '', hostile = ''): string {
    const present: Record<string, string> = { type: 'article', field: 'categories' }
    return path
      .replace(/:(\w+)/g, (_, name: string) =>
        name === parameter ? encode(hostile) : (present[name] ?? '1'),
      )
      .replace(/\*$/, parameter === '*' ? encode(hostile) : 'nothing')
  }

  async function send(route: Route, what: string, path: string, body?: string): Promise<void> {
    const hasBody = body !== undefined && route.method !== 'GET'
    const headers = { 'content-type': 'application/json' }
    // A stream that is opened does not end; a refusal does.
    const isStream = route.rawResponse === 'text/event-stream'
    if (isStream && (await caller(route).request('HEAD', path)).status === 200) return
    const answer = await caller(route).request(route.method, path, hasBody ? { body, headers } : {})
    assertHandled(route, what, answer)
  }

  async function sendAll(work: (route: Route, place: number) => (() => Promise<void>)[]): Promise<void> {
    faults.length = 0
    const tasks = routes.flatMap(work)
    assert.ok(tasks.length > 60, String(tasks.length))
    const next = async () => {
      for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) await task()
    }
    await Promise.all(Array.from({ length: 8 }, next))
    assert.equal(faults.length, 0, faults.slice(0, 40).join('\n'))
  }

  describe('whatever is sent to any route is answered in order', () => {
    it('in the path', slow, () =>
      sendAll((route, routePlace) => {
        const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
        if (route.path.endsWith('*')) names.push('*')
        return names.flatMap((name, place) =>
          shareOf(texts, routePlace + place).map(
            (text) => () => send(route, `:${name}=${text}`, pathOf(route, name, text), '{}'),
          ),
        )
      }),
    )

    it('in the query', slow, () =>
      sendAll((route, routePlace) => {
        if (route.method !== 'GET') return []
        const sent = (query: string) => () => send(route, query, `${pathOf(route)}?${query}`)
        const shapes = [
          'nope=1',
          '__proto__=1',
          '__proto__[a]=1',
          'constructor[prototype]=1',
          '%00=1',
          '=1',
          '[]=1',
        ]
        return [
          ...shareOf(shapes, routePlace).map(sent),
          ...Object.keys(propertiesOf(route.query)).flatMap((name, place) => [
            ...shareOf(texts, routePlace + place).map((text) => sent(`${name}=${encode(text)}`)),
            ...shareOf(
              [`${name}[]=1`, `${name}[a][b]=1`, `${name}=1&${name}=2`, `${name}[__proto__]=1`],
              routePlace + place,
            ).map(sent),
          ]),
        ]
      }),
    )

    it('as a body', slow, () =>
      sendAll((route, routePlace) =>
        route.method === 'GET' || route.method === 'DELETE'
          ? []
          : shareOf(bodies, routePlace).map((body) => () => send(route, `body ${body}`, pathOf(route), body)),
      ),
    )

    it('in the properties of a body', slow, () =>
      sendAll((route, routePlace) => {
        const properties = Object.entries(propertiesOf(route.body))
        if (route.method === 'DELETE') return []
        return properties.flatMap(([name], place) => {
          const others = properties.filter(([other]) => other !== name)
          const rest = others.map(
            ([other, schema]) => `,${JSON.stringify(other)}:${JSON.stringify(sampleOf(other, schema))}`,
          )
          return shareOf(values, routePlace + place).map((value) => () => {
            const body = `{${JSON.stringify(name)}:${value}${rest.join('')}}`
            return send(route, body, pathOf(route), body)
          })
        })
      }),
    )

    it('and what was there still is', async () => {
      expectStatus(await service.get('/api/readyz'), 200)
      expectStatus(await caller(routes[0] as Route).get('/api/content/article'), 200)
    })
  })
})
