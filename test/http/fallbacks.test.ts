import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type AnsweredRequest,
  AppError,
  defineFallback,
  defineRoute,
  type FallbackRequest,
  fallbacks,
  Reply,
  redirect,
  requestObservers,
} from '../../core-plugins/foundation/http/http.ts'
import { mountPlugin } from '../../core-plugins/panel/extensions/mount.ts'
import { definePlugin, pluginErred } from '../../kernel/index.ts'
import { adapters } from '../support/adapters.ts'
import { openConnection, statusesIn } from './raw-connection.ts'
import { startService, type TestService } from './service.ts'

const open = { access: 'open', summary: 'A route under test' } as const

/** What `old:pages` answers, by the path. */
const answers: Readonly<Record<string, () => unknown>> = {
  '/': () => redirect('/home'),
  '/old': () => redirect('/new', { 'cache-control': 'max-age=60' }, 301),
  '/old/': () => redirect('/new', {}, 308),
  '/old-é': () => redirect('/new?from=%C3%A9', {}, 307),
  '/page': () => new Reply(200, { kind: 'raw', body: '<p>A page</p>', mediaType: 'text/html' }),
  '/gone': () => new Reply(410, { kind: 'data', data: 'gone' }),
  '/later': async () => redirect('/new'),
  '/refused': () => {
    throw new AppError('NOT_FOUND', 'not for you')
  },
  '/thrown': () => {
    throw new Error('a secret')
  },
  '/rejected': () => Promise.reject(new Error('a secret')),
  '/hanging': () => new Promise(() => undefined),
  '/text': () => 'no reply',
  '/null': () => null,
  '/not-modified': () => new Reply(304, { kind: 'raw', body: '', mediaType: 'text/plain' }),
  '/informal': () => new Reply(199, { kind: 'raw', body: '', mediaType: 'text/plain' }),
  '/nowhere': () => new Reply(302, { kind: 'raw', body: '', mediaType: 'text/plain' }),
  '/stray': () => new Reply(200, { kind: 'data', data: 1 }, { Location: '/new' }),
  '/twice': () => redirect('/a', { Location: '/b' }),
  ...Object.fromEntries(
    [
      ...['//evil.example', '/\\evil.example', '/\t/evil.example', '/a\r\nset-cookie: a=b', '/a\nb', '/é'],
      ...['https://evil.example', 'HTTPS://evil.example/', 'javascript:alert(1)', 'evil', '', ' /a'],
      ...['http:evil.example', 'http:/evil.example', 'http:///evil.example', 'https://a@evil.example'],
      ...['/ a', '\\\\evil.example', '///evil.example'],
    ].map((location, index) => [`/evil/${index}`, () => redirect(location)]),
  ),
}

const serverErrors = ['/thrown', '/rejected', '/text', '/null', '/not-modified', '/informal', '/nowhere']
const badLocations = Object.keys(answers).filter((path) => path.startsWith('/evil/'))

for (const adapter of adapters) {
  describe(`fallbacks on ${adapter}`, () => {
    let service: TestService
    const asked: FallbackRequest[] = []
    const observed: AnsweredRequest[] = []
    const faults: string[] = []

    const old = definePlugin({
      name: 'old',
      description: 'Answers what is not there.',
      register({ contribute }) {
        contribute(fallbacks, {
          name: 'old:pages',
          answer(request) {
            asked.push(request)
            return answers[request.decodedPath]?.() as Reply | undefined
          },
        })
        contribute(fallbacks, defineFallback({ name: 'old:last', answer: lastOf }), { after: ['*'] })
        contribute(
          fallbacks,
          defineFallback({
            name: 'old:forms',
            methods: ['POST'],
            redirectsElsewhere: true,
            answer: ({ path }) =>
              path === '/form' ? redirect('https://forms.example/x', {}, 307) : undefined,
          }),
        )
      },
    })
    const lastOf = ({ path }: FallbackRequest) =>
      ['/last', '/old', '/later'].includes(path)
        ? new Reply(200, { kind: 'data', data: 'the last one' })
        : undefined

    before(async () => {
      service = await startService({
        adapter,
        env: {
          SVC_SERVER_FALLBACK_TIMEOUT_MS: '40',
          SVC_CORS_ORIGINS: 'https://site.example',
          SVC_RATE_LIMIT_ENABLED: 'true',
          SVC_RATE_LIMIT_MAX: '1000',
        },
        routes: [
          defineRoute({ ...open, name: 'test:a.read', method: 'GET', path: '/a', handler: () => 'a' }),
          defineRoute({
            ...open,
            name: 'test:b.create',
            method: 'POST',
            path: '/old-form',
            mountedAt: 'root',
            handler: () => 'a',
          }),
          defineRoute({
            ...open,
            name: 'test:c.read',
            method: 'GET',
            path: '/items/:id',
            mountedAt: 'root',
            handler() {
              throw AppError.notFound('item')
            },
          }),
        ],
        plugins: [mountPlugin(old, { space: 'old', listenerTimeoutMs: 1_000 })],
        contribute({ contribute, on }) {
          contribute(requestObservers, (request) => void observed.push(request))
          on(pluginErred, ({ plugin, where }) => void faults.push(`${plugin}: ${where}`))
        },
      })
    })
    after(() => service.stop())

    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${service.http.url}${path}`, { redirect: 'manual', ...init })

    /** As it is, without what a URL parser would make of it. */
    async function statusOf(path: string): Promise<number | undefined> {
      const connection = await openConnection(service.http.url)
      connection.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
      const answer = await connection.read()
      connection.close()
      return statusesIn(answer)[0]
    }

    it('redirects, with headers of its own', async () => {
      const response = await ask('/old?a=1')
      assert.equal(response.status, 301)
      assert.equal(response.headers.get('location'), '/new')
      assert.equal(response.headers.get('cache-control'), 'max-age=60')
      assert.ok(response.headers.get('x-request-id'))
      assert.equal(asked.at(-1)?.rawQuery, 'a=1')
    })

    it('answers the root, a slash at the end and other scripts', async () => {
      for (const [path, status, location] of [
        ['/', 302, '/home'],
        ['/old/', 308, '/new'],
        ['/old-%C3%A9', 307, '/new?from=%C3%A9'],
        ['/later', 302, '/new'],
      ] as const) {
        const response = await ask(path)
        assert.equal(response.status, status, path)
        assert.equal(response.headers.get('location'), location, path)
      }
    })

    it('answers bodies with a status, to HEAD without the body', async () => {
      const page = await ask('/page')
      assert.equal(page.status, 200)
      assert.equal(await page.text(), '<p>A page</p>')
      const head = await ask('/page', { method: 'HEAD' })
      assert.equal(head.status, 200)
      assert.equal(head.headers.get('content-length'), '13')
      assert.equal((await ask('/gone')).status, 410)
    })

    it('asks by placement until one answers, each for its methods', async () => {
      assert.deepEqual(await (await ask('/last')).json(), { success: true, data: 'the last one' })
      const form = await ask('/form', { method: 'POST', body: 'a=b' })
      assert.equal(form.headers.get('location'), 'https://forms.example/x')
      assert.equal((await ask('/form')).status, 404)
      assert.equal((await ask('/old', { method: 'DELETE' })).status, 404)
      assert.equal((await ask('/old', { method: 'OPTIONS' })).status, 404)
      assert.equal((await ask('/nobody')).status, 404)
    })

    it('is not asked for what a route has, whatever it answers, nor below the API prefix and /admin', async () => {
      asked.length = 0
      for (const [path, status] of [
        ['/api/a', 200],
        ['/api', 404],
        ['/api/nothing', 404],
        ['/API/nothing', 404],
        ['/%61pi/nothing', 404],
        ['/admin', 404],
        ['/admin/', 404],
        ['/admin/%6cogin', 404],
        ['/items/7', 404],
        ['/old-form', 405],
        ['//old', 404],
        ['/old//', 404],
        ['/a/../old', 404],
        ['/a/%2e%2e/old', 404],
        ['/a%2fold', 404],
        ['/a%5cold', 404],
        ['/%ff', 400],
        ['/%00', 400],
      ] as const) {
        assert.equal(await statusOf(path), status, path)
      }
      assert.deepEqual(asked, [])
    })

    it('gets long paths whole', async () => {
      const path = `/${'x'.repeat(8_192)}`
      assert.equal(await statusOf(path), 404)
      assert.equal(asked.at(-1)?.path, path)
    })

    it('refuses each Location that could lead elsewhere or make a header, as the plugin’s error', async () => {
      for (const path of [...badLocations, '/twice', '/stray']) {
        const response = await ask(path)
        assert.equal(response.status, 500, String(answers[path]))
        assert.equal(response.headers.get('location'), null)
        assert.equal(response.headers.get('set-cookie'), null)
      }
      assert.equal(faults[0], 'old: the fallback old:pages')
    })

    it('answers 500 for what throws or is no answer, and reveals nothing of it', async () => {
      for (const path of serverErrors) {
        const response = await ask(path)
        assert.equal(response.status, 500, path)
        assert.doesNotMatch(await response.text(), /secret/)
      }
      assert.equal((await ask('/refused')).status, 404)
    })

    it('answers 503 for one that hangs', async () => {
      assert.equal((await ask('/hanging')).status, 503)
      assert.equal((await ask('/old')).status, 301)
    })

    it('passes rate limit, CORS and observers like routes', async () => {
      const response = await ask('/old', { headers: { origin: 'https://site.example' } })
      assert.equal(response.headers.get('access-control-allow-origin'), 'https://site.example')
      assert.equal(response.headers.get('ratelimit-limit'), '1000')
      assert.deepEqual(
        observed.slice(-1).map(({ route, fallback, status }) => ({ route, fallback, status })),
        [{ route: undefined, fallback: 'old:pages', status: 301 }],
      )
      await ask('/nobody-at-all')
      assert.equal(observed.at(-1)?.fallback, undefined)
    })
  })
}
