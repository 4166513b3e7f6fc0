import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { defineRoute, Reply, type RouteGuard, routeGuards } from '../../core-plugins/foundation/http/http.ts'
import { adapters } from '../support/adapters.ts'
import { sendAndReadToEnd } from './raw-connection.ts'
import { startService, type TestService } from './service.ts'

const open = { access: 'open', summary: 'A route under test', method: 'GET' } as const

const longText = 'äöü€ lorem ipsum '.repeat(1000)

const routes = [
  defineRoute({ ...open, name: 'test:short.read', path: '/short', handler: () => 'short' }),
  defineRoute({ ...open, name: 'test:long.read', path: '/long', handler: () => longText }),
  defineRoute({
    ...open,
    name: 'test:huge.read',
    path: '/huge',
    handler: () => 'é'.repeat(2_000_000),
  }),
  defineRoute({
    ...open,
    name: 'test:versioned.read',
    path: '/versioned',
    handler: () => new Reply(200, { kind: 'data', data: longText }, { etag: '"v1"' }),
  }),
  defineRoute({
    ...open,
    name: 'test:entry.read',
    path: '/entry',
    handler: () => new Reply(200, { kind: 'data', data: 'entry', version: '7' }),
  }),
  defineRoute({
    ...open,
    name: 'test:page.read',
    path: '/page',
    rawResponse: 'text/html',
    handler: () => new Reply(200, { kind: 'raw', body: '<p>', mediaType: 'text/html' }, { 'x-own': 'yes' }),
  }),
  defineRoute({
    ...open,
    name: 'test:bytes.read',
    path: '/bytes',
    rawResponse: 'image/png',
    handler: () => new Reply(200, { kind: 'raw', body: new Uint8Array([1, 2, 255]), mediaType: 'image/png' }),
  }),
  defineRoute({
    ...open,
    name: 'test:split.read',
    path: '/split',
    handler: () => new Reply(200, { kind: 'data', data: 1 }, { 'x-own': 'a\r\nset-cookie: b=c' }),
  }),
  defineRoute({ ...open, name: 'test:nothing.read', path: '/nothing', handler: () => undefined }),
  defineRoute({
    ...open,
    access: 'permission',
    name: 'test:guarded.read',
    path: '/guarded',
    handler: () => new Reply(200, { kind: 'data', data: 1 }, { 'cache-control': 'private, max-age=5' }),
  }),
  defineRoute({
    ...open,
    name: 'test:created.create',
    path: '/created',
    method: 'POST',
    handler: () => new Reply(201, { kind: 'data', data: longText }),
  }),
]

for (const adapter of adapters) {
  describe(`headers of answers by ${adapter}`, () => {
    let service: TestService
    before(async () => {
      const guard: RouteGuard = {
        compile: ({ access }) => (access === 'open' ? undefined : () => undefined),
      }
      service = await startService({
        adapter,
        routes,
        contribute: ({ contribute }) => contribute(routeGuards, guard),
      })
    })
    after(() => service.stop())

    /** As it comes over the wire: `fetch` would decompress it and take the header away. */
    function getRaw(path: string, headers: Record<string, string>) {
      return new Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
        const sent = request(`${service.http.url}/api${path}`, { headers, agent: false }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }))
        })
        sent.on('error', reject)
        sent.end()
      })
    }

    it('compress what is long as the client likes', async () => {
      const cases = [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['GZIP;q=0.5', 'gzip'],
        ['br;q=0, gzip;q=0.1', 'gzip'],
        ['br;q=0', undefined],
        ['identity', undefined],
        ['deflate', undefined],
        ['', undefined],
      ] as const
      for (const [accepted, expected] of cases) {
        const { headers, body } = await getRaw('/long', { 'accept-encoding': accepted })
        assert.equal(headers['content-encoding'], expected, accepted)
        assert.equal(headers.vary, 'accept-encoding')
        const plain =
          expected === 'br' ? brotliDecompressSync(body) : expected === 'gzip' ? gunzipSync(body) : body
        assert.deepEqual(JSON.parse(plain.toString()), { success: true, data: longText })
        assert.equal(Number(headers['content-length']), body.length)
      }
    })

    it('say that the connection ends where the client asks for that, once', async () => {
      for (const path of ['/short', '/huge', '/missing']) {
        const asked = `GET /api${path} HTTP/1.1\r\nhost: x\r\nconnection: Close\r\n\r\n`
        const [head = ''] = (await sendAndReadToEnd(service.http.url, asked)).split('\r\n\r\n', 1)
        assert.equal(head.match(/^connection: close$/gim)?.length, 1, head)
      }
    })

    it('leave what is short as it is', async () => {
      const { headers } = await getRaw('/short', { 'accept-encoding': 'gzip' })
      assert.equal(headers['content-encoding'], undefined)
      assert.equal(headers.vary, undefined)
    })

    it('compress answers to requests that run at the same time, each its own', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const path = index % 2 === 0 ? '/long' : '/versioned'
          return (await service.fetch(path)).text()
        }),
      )
      assert.equal(new Set(answers).size, 1)
      assert.equal(JSON.parse(answers[0] ?? '').data, longText)
    })

    it('carry answers of any length', async () => {
      const { headers, body } = await getRaw('/huge', {})
      assert.equal(Number(headers['content-length']), body.length)
      assert.equal(JSON.parse(body.toString()).data.length, 2_000_000)
    })

    it('carry a tag that stays as long as the answer does, compressed or not', async () => {
      const [plain, compressed] = [
        await getRaw('/long', {}),
        await getRaw('/long', { 'accept-encoding': 'gzip' }),
      ]
      assert.match(String(plain.headers.etag), /^W\/"[\w]+"$/)
      assert.equal(compressed.headers.etag, plain.headers.etag)
    })

    it('carry a strong tag of their own where they are compressed, by which they are known again', async () => {
      const { etag = '' } = (await getRaw('/versioned', {})).headers
      for (const encoding of ['br', 'gzip']) {
        const { headers } = await getRaw('/versioned', { 'accept-encoding': encoding })
        assert.equal(headers.etag, `"v1-${encoding}"`)
        for (const accepted of ['br', 'gzip', 'identity']) {
          for (const known of [`"v1-${encoding}"`, `W/"v1-${encoding}"`]) {
            const sent = { 'if-none-match': known, 'accept-encoding': accepted }
            const again = await service.fetch('/versioned', { headers: sent })
            assert.deepEqual([again.status, again.headers.get('etag')], [304, known])
          }
        }
      }
      assert.equal(etag, '"v1"')
    })

    it('say that nothing has changed', async () => {
      for (const path of ['/short', '/long', '/versioned', '/entry', '/page']) {
        const { headers } = await service.fetch(path, { headers: { 'accept-encoding': 'identity' } })
        const etag = headers.get('etag') ?? ''
        for (const known of [etag, `"x", ${etag}`, '*', etag.replace('W/', '')]) {
          const response = await service.fetch(path, { headers: { 'if-none-match': known } })
          assert.equal(response.status, 304, `${path} ${known}`)
          assert.equal(response.headers.get('etag'), etag)
          assert.equal(await response.text(), '')
        }
        const other = await service.fetch(path, { headers: { 'if-none-match': '"other"' } })
        assert.equal(other.status, 200)
      }
    })

    it('say with a 304 what they say of the answer itself', async () => {
      for (const path of ['/long', '/guarded']) {
        const { headers, status } = await service.fetch(path)
        assert.equal(status, 200)
        const etag = headers.get('etag') ?? ''
        const known = await service.fetch(path, { headers: { 'if-none-match': etag } })
        assert.equal(known.status, 304)
        assert.ok(headers.get('vary'))
        for (const name of ['vary', 'cache-control']) {
          assert.equal(known.headers.get(name), headers.get(name), `${path} ${name}`)
        }
      }
    })

    it('vary by caller where not everybody is answered alike', async () => {
      assert.equal((await service.fetch('/guarded')).headers.get('vary'), 'authorization')
      assert.equal((await service.fetch('/short')).headers.get('vary'), null)
    })

    it('keep browsers from guessing what an answer is', async () => {
      for (const path of ['/short', '/bytes', '/split', '/nowhere']) {
        const { headers } = await service.fetch(path)
        assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      }
    })

    it('carry a strong tag where a handler tells the version', async () => {
      const { headers } = await service.fetch('/entry')
      assert.match(headers.get('etag') ?? '', /^"7/)
    })

    it('have no tag where they answer something else than GET', async () => {
      const response = await service.fetch('/created', { method: 'POST', headers: { 'if-none-match': '*' } })
      assert.equal(response.status, 201)
      assert.equal(response.headers.get('etag'), null)
    })

    it('are those that the handler asks for', async () => {
      const response = await service.fetch('/page')
      assert.equal(response.headers.get('content-type'), 'text/html')
      assert.equal(response.headers.get('x-own'), 'yes')
      assert.equal(await response.text(), '<p>')
      const bytes = await service.fetch('/bytes')
      assert.deepEqual(new Uint8Array(await bytes.arrayBuffer()), new Uint8Array([1, 2, 255]))
    })

    it('cannot be split by what a handler puts into them', async () => {
      const response = await service.fetch('/split')
      assert.equal(response.status, 500)
      assert.equal(response.headers.get('set-cookie'), null)
    })

    it('come with null where a handler answers nothing', async () => {
      assert.deepEqual(await (await service.fetch('/nothing')).json(), { success: true, data: null })
    })
  })
}
