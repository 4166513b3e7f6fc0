import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import { defineRoute } from '../../core-plugins/foundation/http/http.ts'
import { maxHeaderBytes, maxHeaders } from '../../core-plugins/foundation/http/servers/server-port.ts'
import { adapters } from '../support/adapters.ts'
import { openConnection, sendAndReadToEnd, statusesIn } from './raw-connection.ts'
import { startService, type TestService } from './service.ts'

const open = { access: 'open', summary: 'A route under test' } as const

/** Comes right behind each request below; whoever reads their end elsewhere would serve it. */
const smuggled = 'GET /api/smuggled HTTP/1.1\r\nhost: x\r\n\r\n'

function post(headers: string, body: string): string {
  return `POST /api/echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`
}

const oneChunk = '2\r\n{}\r\n0\r\n\r\n'

const ambiguous: Readonly<Record<string, string>> = {
  'both lengths': post('content-length: 4\r\ntransfer-encoding: chunked', oneChunk),
  'both lengths, the other way round': post('transfer-encoding: chunked\r\ncontent-length: 4', oneChunk),
  'an unknown transfer-encoding': post('transfer-encoding: xchunked', oneChunk),
  'a transfer-encoding before chunked': post('transfer-encoding: gzip, chunked', oneChunk),
  'a transfer-encoding after chunked': post('transfer-encoding: chunked, identity', oneChunk),
  'two transfer-encodings': post('transfer-encoding: chunked\r\ntransfer-encoding: identity', oneChunk),
  'a transfer-encoding of other case': post('transfer-encoding: Chunked', oneChunk),
  'two lengths': post('content-length: 2\r\ncontent-length: 40', '{}'),
  'the same length twice': post('content-length: 2\r\ncontent-length: 2', '{}'),
  'a list of lengths': post('content-length: 2, 2', '{}'),
  'a signed length': post('content-length: +2', '{}'),
  'a negative length': post('content-length: -2', '{}'),
  'a hexadecimal length': post('content-length: 0x2', '{}'),
  'an immense length': post('content-length: 99999999999999999999999', '{}'),
  'a chunk without a size': post('transfer-encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n'),
  'a GET with an unknown transfer-encoding':
    'GET /api/plain HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n',
  'a GET with two lengths':
    'GET /api/plain HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 0\r\n\r\nhello',
  'an empty length': post('content-length: ', '{}'),
  'an empty length before another': post('content-length: \r\ncontent-length: 2', '{}'),
  'an empty transfer-encoding': post('transfer-encoding: ', oneChunk),
  'an empty transfer-encoding beside a length': post('transfer-encoding: \r\ncontent-length: 2', '{}'),
  'two hosts': post('host: y\r\ncontent-length: 2', '{}'),
  'a GET in chunks': 'GET /api/plain HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'a GET with an empty length': 'GET /api/plain HTTP/1.1\r\nhost: x\r\ncontent-length: \r\n\r\n',
  'a GET with both lengths':
    'GET /api/plain HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
}

for (const adapter of adapters) {
  describe(`the end of a request on ${adapter}`, () => {
    let service: TestService
    const served: string[] = []

    before(async () => {
      const serve = (name: string) => {
        served.push(name)
        return name
      }
      service = await startService({
        adapter,
        routes: [
          defineRoute({
            ...open,
            name: 'test:plain.read',
            method: 'GET',
            path: '/plain',
            handler: () => serve('plain'),
          }),
          defineRoute({
            ...open,
            name: 'test:smuggled.read',
            method: 'GET',
            path: '/smuggled',
            handler: () => serve('smuggled'),
          }),
          defineRoute({
            ...open,
            name: 'test:slow.read',
            method: 'GET',
            path: '/slow',
            handler: async ({ rawQuery }) => {
              await new Promise(setImmediate)
              return serve(`slow ${rawQuery}`)
            },
          }),
          defineRoute({
            ...open,
            name: 'test:echo.create',
            method: 'POST',
            path: '/echo',
            body: Type.Unknown(),
            handler: ({ body }) => serve(JSON.stringify(body)),
          }),
        ],
      })
    })
    after(() => service.stop())

    for (const [what, bytes] of Object.entries(ambiguous)) {
      it(`is not guessed for ${what}: nothing is served and the connection closed`, async () => {
        served.length = 0
        const answer = await sendAndReadToEnd(service.http.url, bytes + smuggled)
        assert.deepEqual(served, [])
        assert.ok(statusesIn(answer).every((status) => status >= 400))
        assert.ok(statusesIn(answer).length <= 1)
      })
    }

    it('is not guessed either where the body comes after the answer was made', async () => {
      for (const headers of ['host: y\r\ncontent-length: 2', 'content-length: 2\r\ncontent-length: 2']) {
        served.length = 0
        const connection = await openConnection(service.http.url)
        connection.write(post(headers, ''))
        // By then the service has refused what came before.
        await service.fetch('/plain')
        connection.write(`{}${smuggled}`)
        const answer = await connection.readToEnd()
        assert.deepEqual(served, ['plain'])
        assert.ok(statusesIn(answer).every((status) => status >= 400))
      }
    })

    it('is told of in an answer where nothing follows the request', async () => {
      const answer = await sendAndReadToEnd(service.http.url, post('transfer-encoding: xchunked', oneChunk))
      assert.deepEqual(statusesIn(answer), [400])
      assert.match(answer, /"code":"VALIDATION_ERROR"/)
      assert.match(answer, /connection: close/i)
    })

    it('is found by length', async () => {
      served.length = 0
      const connection = await openConnection(service.http.url)
      connection.write(post('content-length: 2', '{}') + smuggled)
      const answer = await connection.read((text) => statusesIn(text).length === 2)
      connection.close()
      assert.deepEqual(statusesIn(answer), [200, 200])
      assert.deepEqual(served.toSorted(), ['smuggled', '{}'])
    })

    it('is found by chunks', async () => {
      const connection = await openConnection(service.http.url)
      connection.write(post('transfer-encoding: chunked', oneChunk))
      assert.deepEqual(statusesIn(await connection.read()), [200])
      connection.close()
    })

    const loose: Readonly<Record<string, string>> = {
      'in a trailer': '2\r\n{}\r\n0\r\nXX',
      'behind a bare LF': '2\n{}\r\n0\r\n\r\n',
      'behind a bare LF at the end of a chunk': '2\r\n{}\n0\r\n\r\n',
      'behind a chunk that is longer than it says': '2\r\n{}XX0\r\n\r\n',
      'behind a size with a space': '2 \r\n{}\r\n0\r\n\r\n',
    }
    for (const [where, chunks] of Object.entries(loose)) {
      const bytes = post('transfer-encoding: chunked', chunks)

      it(`lets no request be smuggled ${where}, however it arrives`, async () => {
        served.length = 0
        await sendAndReadToEnd(service.http.url, bytes + smuggled)
        const connection = await openConnection(service.http.url)
        connection.write(bytes)
        // The other one does not take it for whole.
        if (adapter === 'hyper-express') await connection.read()
        connection.write(smuggled)
        await connection.readToEnd()
        assert.ok(!served.includes('smuggled'), served.join())
      })
    }

    it('comes before nothing else where a trailer is refused, and behind one that is read', async () => {
      served.length = 0
      const bytes = post('transfer-encoding: chunked', '2\r\n{}\r\n0\r\na: b\r\n\r\n')
      const connection = await openConnection(service.http.url)
      connection.write(bytes + smuggled)
      await connection.read((text) => statusesIn(text).length === 2)
      connection.close()
      assert.deepEqual(served, adapter === 'hyper-express' ? [] : ['{}', 'smuggled'])
    })

    it('may come behind many headers', async () => {
      const lines = Array.from({ length: maxHeaders - 1 }, (_, index) => `h${index}: 1\r\n`).join('')
      const connection = await openConnection(service.http.url)
      connection.write(`GET /api/plain HTTP/1.1\r\nhost: x\r\n${lines}\r\n`)
      assert.deepEqual(statusesIn(await connection.read()), [200])
      connection.close()
    })

    it('is found byte by byte', async () => {
      const connection = await openConnection(service.http.url)
      connection.socket.setNoDelay(true)
      const bytes = post('transfer-encoding: chunked', '5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n')
      // The uWebSockets binary for Node 20 wants the first line whole (uNetworking/uWebSockets#1776).
      const lineEnd = bytes.indexOf('\n') + 1
      connection.write(bytes.slice(0, lineEnd))
      for (const byte of bytes.slice(lineEnd)) {
        connection.write(byte)
        await new Promise(setImmediate)
      }
      const answer = await connection.read()
      connection.close()
      assert.match(answer, /"data":"\{\\"a\\":1\}"/)
    })

    it('does not mix up requests that did not wait for their answers', async () => {
      const get = (path: string) => `GET /api/${path} HTTP/1.1\r\nhost: x\r\n\r\n`
      const connection = await openConnection(service.http.url)
      connection.write(get('plain') + get('smuggled'))
      const answer = await connection.read((text) => statusesIn(text).length === 2)
      connection.close()
      assert.ok(answer.indexOf('"plain"') < answer.indexOf('"smuggled"'))

      const slow = await openConnection(service.http.url)
      slow.write(get('slow?1') + get('slow?2'))
      // uWebSockets cuts a connection that does not wait for an answer which takes its time.
      const both = await slow.read((text) => text.includes('slow 2'))
      slow.close()
      assert.ok(both === '' || both.indexOf('slow 1') < both.indexOf('slow 2'))
    })

    it('does not serve a head that is larger than the limit', async () => {
      const headers = { 'x-long': 'x'.repeat(maxHeaderBytes) }
      assert.equal((await service.fetch('/plain', { headers })).status, 431)
      assert.equal((await service.fetch(`/plain?${'x'.repeat(2 * maxHeaderBytes)}`)).status, 431)
    })

    const floods: Readonly<Record<string, string>> = {
      'one immense header': `a: ${'x'.repeat(1_000_000)}`,
      'very many headers': Array.from({ length: 100_000 }, (_, index) => `h${index}: 1`).join('\r\n'),
      'an immense path': '',
    }
    for (const [what, headers] of Object.entries(floods)) {
      it(`refuses ${what}`, async () => {
        served.length = 0
        const path = headers === '' ? `/api/plain?${'x'.repeat(1_000_000)}` : '/api/plain'
        const bytes = `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`
        const answer = await sendAndReadToEnd(service.http.url, bytes)
        assert.deepEqual(served, [])
        assert.ok(statusesIn(answer).every((status) => status >= 400))
        assert.equal((await service.fetch('/plain')).status, 200)
      })
    }

    it('takes heads of 20 kB', async () => {
      const headers = { 'x-long': 'x'.repeat(10_000) }
      assert.equal((await service.fetch(`/plain?${'x'.repeat(10_000)}`, { headers })).status, 200)
    })
  })
}
