import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { type Static, Type } from 'typebox'
import { compressAbove } from '../../core-plugins/foundation/http/answers/compression.ts'
import { defineRoute } from '../../core-plugins/foundation/http/http.ts'
import { adapters } from '../support/adapters.ts'
import { openConnection, sendAndReadToEnd, statusesIn } from './raw-connection.ts'
import { startService, type TestService } from './service.ts'

const open = { access: 'open', summary: 'A route under test' } as const

const named = Type.Object({ name: Type.String() })

const routes = [
  defineRoute({
    ...open,
    name: 'test:header.read',
    method: 'GET',
    path: '/header/:name',
    params: named,
    handler: (request) => ({ value: request.header((request.params as Static<typeof named>).name) ?? null }),
  }),
  defineRoute({
    ...open,
    name: 'test:ip.read',
    method: 'GET',
    path: '/ip',
    handler: ({ ip }) => ({ value: ip }),
  }),
  defineRoute({
    ...open,
    name: 'test:long.read',
    method: 'GET',
    path: '/long',
    handler: () => 'x'.repeat(2 * compressAbove),
  }),
]

/** Each as the service would take it alone. */
const single: Readonly<Record<string, readonly [string, string]>> = {
  host: ['a.example', 'b.example'],
  authorization: ['Bearer a', 'Bearer b'],
  'proxy-authorization': ['Basic a', 'Basic b'],
  'content-type': ['application/json', 'text/plain'],
  'content-range': ['bytes 0-1/2', 'bytes 1-1/2'],
  origin: ['https://a.example', 'https://b.example'],
  range: ['bytes=0-1', 'bytes=2-3'],
  'if-range': ['"a"', '"b"'],
  'if-modified-since': ['Sat, 28 Nov 2026 08:00:00 GMT', 'Sat, 28 Nov 2026 09:00:00 GMT'],
  'if-unmodified-since': ['Sat, 28 Nov 2026 08:00:00 GMT', 'Sat, 28 Nov 2026 09:00:00 GMT'],
  'access-control-request-method': ['GET', 'POST'],
  'sec-websocket-version': ['13', '8'],
}

const lists = ['accept', 'accept-encoding', 'forwarded', 'if-match', 'via', 'x-forwarded-for', 'x-of-our-own']

for (const adapter of adapters) {
  describe(`a header in several lines on ${adapter}`, () => {
    let service: TestService
    before(async () => {
      service = await startService({
        adapter,
        routes,
        env: { SVC_SERVER_TRUST_PROXY: 'loopback,10.0.0.0/8' },
      })
    })
    after(() => service.stop())

    const get = async (path: string, ...lines: string[]) => {
      const connection = await openConnection(service.http.url)
      const host = lines.some((line) => /^host:/i.test(line)) ? [] : ['host: x']
      connection.write([`GET /api${path} HTTP/1.1`, ...host, ...lines, '', ''].join('\r\n'))
      const answer = await connection.read()
      connection.close()
      return answer
    }
    const valueIn = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))).data.value

    for (const name of lists) {
      it(`is one list: ${name}`, async () => {
        const value = valueIn(
          await get(`/header/${name}`, `${name}: a, b`, 'x-between: 1', `${name.toUpperCase()}: c`),
        )
        assert.equal(value, 'a, b, c')
      })
    }

    it('is one list of pairs where it is for cookies', async () => {
      assert.equal(valueIn(await get('/header/cookie', 'cookie: a=1; b=2', 'cookie: c=3')), 'a=1; b=2; c=3')
    })

    it('compares all tags that a client has', async () => {
      const first = await get('/long', 'accept-encoding: identity')
      const etag = /etag: (.*)\r\n/i.exec(first)?.[1] ?? ''
      assert.notEqual(etag, '')
      const answer = await get('/long', 'if-none-match: "other"', `if-none-match: ${etag}`)
      assert.deepEqual(statusesIn(answer), [304])
    })

    it('offers all encodings that a client takes', async () => {
      const answer = await get('/long', 'accept-encoding: identity', 'accept-encoding: gzip')
      assert.match(answer, /content-encoding: gzip/i)
    })

    for (const [name, [first, second]] of Object.entries(single)) {
      it(`is refused where there may be one only: ${name}`, async () => {
        for (const lines of [
          [first, second],
          [second, first],
          [first, first],
        ]) {
          const sent = ['GET /api/header/x HTTP/1.1', ...(name === 'host' ? [] : ['host: x'])]
          const bytes = [...sent, ...lines.map((line) => `${name}: ${line}`), '', ''].join('\r\n')
          const answer = await sendAndReadToEnd(service.http.url, bytes)
          assert.deepEqual(statusesIn(answer), [400])
          assert.ok(answer.includes(`send the header ${name} once only`), answer)
        }
      })
    }

    it('is refused for a WebSocket with two keys', async () => {
      const key = () => `sec-websocket-key: ${randomBytes(16).toString('base64')}`
      const lines = [
        'host: x',
        'connection: upgrade',
        'upgrade: websocket',
        'sec-websocket-version: 13',
        key(),
        key(),
      ]
      const bytes = ['GET /api/ip HTTP/1.1', ...lines, '', ''].join('\r\n')
      assert.deepEqual(statusesIn(await sendAndReadToEnd(service.http.url, bytes)), [400])
    })

    const forwarded = [
      ['the line of the nearest proxy', ['203.0.113.1', '198.51.100.7'], '198.51.100.7'],
      ['the lines of two proxies', ['203.0.113.1', '198.51.100.7', '10.0.0.2'], '198.51.100.7'],
      ['lines that are lists', ['203.0.113.1, 203.0.113.2', '198.51.100.7, 10.0.0.2'], '198.51.100.7'],
      ['a last line that is empty', ['198.51.100.7', ''], '198.51.100.7'],
    ] as const
    for (const [what, lines, expected] of forwarded) {
      it(`names the client by ${what}`, async () => {
        const answer = await get('/ip', ...lines.map((line) => `x-forwarded-for: ${line}`))
        assert.equal(valueIn(answer), expected)
      })
    }

    it('cannot be told by Forwarded who the client is', async () => {
      assert.equal(valueIn(await get('/ip', 'forwarded: for=203.0.113.1')), '127.0.0.1')
    })
  })
}
