import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import { defineRoute, stream } from '../../core-plugins/foundation/http/http.ts'
import { adapters } from '../support/adapters.ts'
import { openConnection, statusesIn } from './raw-connection.ts'
import { json, startService, type TestService } from './service.ts'

const open = { access: 'open', summary: 'A route under test' } as const

type Body = NonNullable<RequestInit['body']>

const mebibyte = 1024 * 1024

/** What a handler saw of a client that went away. */
interface Abort {
  readonly signal: AbortSignal
  readonly failed: Promise<unknown>
}

for (const adapter of adapters) {
  describe(`bodies on ${adapter}`, () => {
    let service: TestService
    const aborts: Abort[] = []
    const started = new EventTarget()
    let generated = 0
    let isSourceDestroyed = false

    const routes = [
      defineRoute({
        ...open,
        name: 'test:echo.create',
        method: 'POST',
        path: '/echo',
        body: Type.Unknown(),
        handler: ({ body }) => body ?? null,
      }),
      defineRoute({
        ...open,
        name: 'test:optional.update',
        method: 'PUT',
        path: '/optional',
        body: Type.Object(
          { a: Type.Optional(Type.Integer({ default: 5 })) },
          { additionalProperties: false },
        ),
        isBodyOptional: true,
        handler: ({ body }) => body ?? 'none',
      }),
      defineRoute({
        ...open,
        name: 'test:bodiless.delete',
        method: 'DELETE',
        path: '/bodiless',
        handler: () => 'gone',
      }),
      defineRoute({
        ...open,
        name: 'test:small.create',
        method: 'POST',
        path: '/small',
        body: Type.Unknown(),
        maxBodyBytes: 100,
        handler: () => 'taken',
      }),
      defineRoute({
        ...open,
        name: 'test:upload.create',
        method: 'POST',
        path: '/upload',
        bodyMode: 'stream',
        maxBodyBytes: 30 * mebibyte,
        async handler({ stream: body }) {
          await new Promise(setImmediate)
          const hash = createHash('sha256')
          let size = 0
          for await (const chunk of body) {
            size += (chunk as Buffer).length
            hash.update(chunk as Buffer)
            // Slower than the sender, so that the stream has to hold it back.
            if (size % 7 === 0) await new Promise(setImmediate)
          }
          return { size, sha256: hash.digest('hex') }
        },
      }),
      defineRoute({
        ...open,
        name: 'test:watched.create',
        method: 'POST',
        path: '/watched',
        bodyMode: 'stream',
        async handler({ stream: body, signal }) {
          const failed = once(body, 'error').then(([error]) => error)
          body.resume()
          aborts.push({ signal, failed })
          started.dispatchEvent(new Event('request'))
          await failed
        },
      }),
      defineRoute({
        ...open,
        name: 'test:late.create',
        method: 'POST',
        path: '/late',
        bodyMode: 'stream',
        async handler(request) {
          const failed = once(request.stream, 'error').then(([error]) => error)
          request.stream.resume()
          started.dispatchEvent(new Event('request'))
          await failed
          aborts.push({ signal: request.signal, failed })
          started.dispatchEvent(new Event('late'))
        },
      }),
      defineRoute({
        ...open,
        name: 'test:waiting.read',
        method: 'GET',
        path: '/waiting',
        async handler({ signal }) {
          aborts.push({ signal, failed: Promise.resolve() })
          started.dispatchEvent(new Event('request'))
          await once(signal, 'abort')
        },
      }),
      defineRoute({
        ...open,
        name: 'test:download.read',
        method: 'GET',
        path: '/download/:kind',
        params: Type.Object({ kind: Type.String() }),
        rawResponse: 'application/octet-stream',
        handler({ params: { kind } }) {
          if (kind === 'sized') return stream(chunks(20), 'application/octet-stream', 20 * mebibyte)
          if (kind === 'unsized') return stream(chunks(20), 'application/octet-stream')
          if (kind === 'short') return stream(chunks(1), 'application/octet-stream', 2 * mebibyte)
          if (kind === 'long') return stream(chunks(3), 'application/octet-stream', 2 * mebibyte)
          if (kind === 'empty') return stream(Readable.from([]), 'application/octet-stream', 0)
          if (kind === 'failing') return stream(failing(), 'application/octet-stream')
          return stream(endless(), 'application/octet-stream')
        },
      }),
    ]

    function chunks(count: number): Readable {
      return Readable.from(Array.from({ length: count }, (_, index) => Buffer.alloc(mebibyte, index)))
    }

    async function* failAfterOne() {
      yield Buffer.alloc(100)
      throw new Error('the disk is gone')
    }

    const failing = () => Readable.from(failAfterOne())

    function endless(): Readable {
      return new Readable({
        read() {
          generated += 65_536
          this.push(Buffer.alloc(65_536))
        },
        destroy(error, done) {
          isSourceDestroyed = true
          done(error)
        },
      })
    }

    before(async () => {
      const env = {
        SVC_SERVER_MAX_BODY_SIZE: String(mebibyte),
        SVC_SERVER_MAX_ANONYMOUS_BODY_SIZE: String(mebibyte),
      }
      service = await startService({ adapter, routes, env })
    })
    after(() => service.stop())

    const send = (path: string, body: Body, contentType = 'application/json', method = 'POST') =>
      service.fetch(path, {
        method,
        body,
        headers: { 'content-type': contentType },
        duplex: 'half',
      } as RequestInit)

    it('are JSON of any kind', async () => {
      for (const value of [null, true, 0, -1.5e300, '', 'é€😀', [], {}, { a: [{ b: null }] }]) {
        assert.deepEqual((await json(await send('/echo', JSON.stringify(value)))).data, value)
      }
    })

    it('may begin with a byte order mark', async () => {
      assert.equal((await json(await send('/echo', '\ufeff"x"'))).data, 'x')
    })

    const invalidJson: Readonly<Record<string, string | Uint8Array>> = {
      'cut off': '{"a":',
      'with a trailing comma': '{"a":1,}',
      'with a comment': '{} // x',
      'with single quotes': "{'a':1}",
      'not a number': 'NaN',
      'with a raw control character': '"\u0001"',
      'with a raw NUL': '"a\0b"',
      'with __proto__': '{"a":{"__proto__":{"isAdmin":true}}}',
      'with an escaped __proto__': '{"\\u005f\\u005fproto__":{"isAdmin":true}}',
      'with constructor.prototype': '{"constructor":{"prototype":{"isAdmin":true}}}',
      'nested too deep': `${'['.repeat(5000)}${']'.repeat(5000)}`,
      'nested too deep in objects': `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`,
      'not UTF-8': Buffer.from([0x22, 0xff, 0xfe, 0x22]),
      'in UTF-16': Buffer.from('"x"', 'utf16le'),
      'with an overlong encoding': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
    }
    for (const [what, body] of Object.entries(invalidJson)) {
      it(`are refused when ${what}`, async () => {
        const response = await send('/echo', body as Body)
        assert.equal(response.status, 400)
        assert.equal((await json(response)).error.code, 'INVALID_JSON')
        assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined)
      })
    }

    it('are refused with numbers that would become null, naming where', async () => {
      const response = await send('/echo', `{"a":[1e308,{"b":1e309}],"c":-9${'0'.repeat(308)}}`)
      assert.equal(response.status, 400)
      const { details } = (await json(response)).error
      assert.deepEqual(
        details.map(({ path, message }: { path: string; message: string }) => [path, message]),
        [
          ['a.1.b', 'is larger than numbers can be'],
          ['c', 'is larger than numbers can be'],
        ],
      )
    })

    it('are refused with text that no database stores, naming where', async () => {
      const response = await send('/echo', '{"a":{"b":["x","\\u0000"]},"c":"\\ud800"}')
      assert.equal(response.status, 400)
      const { error } = await json(response)
      assert.deepEqual(
        error.details.map(({ path }: { path: string }) => path),
        ['a.b.1', 'c'],
      )
      assert.equal((await send('/echo', '"\\ud83d\\ude00 \\\\u0000"')).status, 200)
    })

    it('are refused in few words, however much is wrong with them', async () => {
      const hostile = [
        `[${Array(100_000).fill('"\\ud800"').join()}]`,
        JSON.stringify({ ['x'.repeat(500_000)]: '\ud800' }),
      ]
      for (const body of hostile) {
        const response = await send('/echo', body)
        assert.equal(response.status, 400)
        const text = await response.text()
        assert.ok(text.length < 50_000, `${text.length} characters`)
        assert.ok(JSON.parse(text).error.details.length > 0)
      }
    })

    it('that are wrong as a whole are told of as such', async () => {
      const response = await send('/optional', '7', 'application/json', 'PUT')
      assert.match((await json(response)).error.message, /^the body must be object/)
    })

    it('may be nested a hundred levels deep, and hold as many brackets as they like', async () => {
      assert.equal((await send('/echo', `${'['.repeat(100)}${']'.repeat(100)}`)).status, 200)
      assert.equal((await send('/echo', JSON.stringify(Array(500).fill([{ a: '[[[{{{"' }])))).status, 200)
    })

    it('are refused when they are not said to be JSON', async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'json']) {
        const response = await send('/echo', '{}', type)
        assert.equal(response.status, 415, type)
        assert.equal((await json(response)).error.code, 'UNSUPPORTED_MEDIA_TYPE')
      }
      for (const type of [
        'application/json; charset=utf-8',
        'Application/JSON',
        'application/merge-patch+json',
      ]) {
        assert.equal((await send('/echo', '{}', type)).status, 200, type)
      }
    })

    it('are asked for where they are missing', async () => {
      const response = await send('/echo', '')
      assert.equal(response.status, 400)
      assert.equal((await json(response)).error.code, 'VALIDATION_ERROR')
    })

    it('may be left out where they are optional', async () => {
      const without = await service.fetch('/optional', { method: 'PUT' })
      assert.equal((await json(without)).data, 'none')
      assert.deepEqual((await json(await send('/optional', '{}', 'application/json', 'PUT'))).data, { a: 5 })
      assert.equal((await send('/optional', '{"b":1}', 'application/json', 'PUT')).status, 400)
    })

    it('are missing where a request announces none, and the next request follows at once', async () => {
      const connection = await openConnection(service.http.url)
      const head = (method: string, path: string) => `${method} /api${path} HTTP/1.1\r\nhost: a\r\n\r\n`
      connection.write(head('PUT', '/optional') + head('POST', '/echo') + head('DELETE', '/bodiless'))
      const text = await connection.read((read) => statusesIn(read).length === 3 && read.endsWith('}'))
      assert.deepEqual(statusesIn(text), [200, 400, 200])
      connection.close()
    })

    it('are ignored where none is taken', async () => {
      const response = await send('/bodiless', 'anything', 'text/plain', 'DELETE')
      assert.equal((await json(response)).data, 'gone')
    })

    it('are refused when they are too large, whether or not they say so', async () => {
      const large = JSON.stringify('x'.repeat(2 * mebibyte))
      const unannounced = () => new Blob([large]).stream()
      for (const response of [
        await send('/echo', large),
        await send('/echo', unannounced()),
        await send('/small', JSON.stringify('x'.repeat(99))),
      ]) {
        assert.equal(response.status, 413)
        assert.equal((await json(response)).error.code, 'PAYLOAD_TOO_LARGE')
      }
      assert.equal((await send('/small', JSON.stringify('x'.repeat(98)))).status, 200)
      assert.equal((await send('/echo', JSON.stringify('x'.repeat(mebibyte - 2)))).status, 200)
    })

    it('are refused at once when they announce themselves as too large', async () => {
      const connection = await openConnection(service.http.url)
      connection.write(
        'POST /api/echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99999999999\r\n\r\n{',
      )
      assert.deepEqual(statusesIn(await connection.read()), [413])
      connection.close()
    })

    it('are streamed, with and without a length', async () => {
      const bytes = randomBytes(20 * mebibyte)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      for (const body of [bytes, new Blob([bytes]).stream()]) {
        const response = await send('/upload', body as Body, 'application/octet-stream')
        assert.deepEqual((await json(response)).data, { size: bytes.length, sha256 })
      }
    })

    it('are cut when they stream too much', async () => {
      const response = await send('/upload', new Blob([Buffer.alloc(31 * mebibyte)]).stream(), 'a/b')
      assert.equal(response.status, 413)
    })

    it('tell the handler when the client goes away while it sends', async () => {
      const connection = await openConnection(service.http.url)
      const handled = once(started, 'request')
      connection.write('POST /api/watched HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nabc')
      await handled
      connection.close()
      const abort = aborts.at(-1)
      assert.ok((await abort?.failed) instanceof Error)
      assert.equal(abort?.signal.aborted, true)
    })

    it('tell the handler when the client goes away while it waits', async () => {
      const connection = await openConnection(service.http.url)
      const handled = once(started, 'request')
      connection.write('GET /api/waiting HTTP/1.1\r\nhost: x\r\n\r\n')
      await handled
      const { signal } = aborts.at(-1) ?? {}
      assert.equal(signal?.aborted, false)
      connection.close()
      if (signal !== undefined && !signal.aborted) await once(signal, 'abort')
    })

    it('tell a handler, too, that asks when the client has gone already', async () => {
      const connection = await openConnection(service.http.url)
      const handled = once(started, 'request')
      connection.write('POST /api/late HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nabc')
      await handled
      const asked = once(started, 'late')
      connection.close()
      await asked
      assert.equal(aborts.at(-1)?.signal.aborted, true)
    })

    it('are sent as streams, with and without a length', async () => {
      for (const kind of ['sized', 'unsized']) {
        const response = await service.fetch(`/download/${kind}`)
        assert.equal(response.headers.get('content-length'), kind === 'sized' ? String(20 * mebibyte) : null)
        const bytes = new Uint8Array(await response.arrayBuffer())
        assert.equal(bytes.length, 20 * mebibyte)
        assert.ok([0, 7, 19].every((index) => bytes[index * mebibyte + 5] === index))
      }
      const empty = await service.fetch('/download/empty')
      assert.equal(empty.headers.get('content-length'), '0')
      assert.equal((await empty.arrayBuffer()).byteLength, 0)
    })

    it('are not sent in answer to HEAD', async () => {
      const response = await service.fetch('/download/sized', { method: 'HEAD' })
      assert.equal(response.headers.get('content-length'), String(20 * mebibyte))
      assert.equal((await service.fetch('/download/unsized', { method: 'HEAD' })).status, 200)
    })

    it('are cut off when their source is not what it promised', async () => {
      const download = async (kind: string) => (await service.fetch(`/download/${kind}`)).arrayBuffer()
      for (const kind of ['short', 'failing']) await assert.rejects(download(kind), kind)
      const bytes = await download('long').catch(() => new ArrayBuffer(0))
      assert.ok(bytes.byteLength <= 2 * mebibyte)
      assert.equal((await service.fetch('/livez')).status, 200)
    })

    it('wait for a client that does not read, and end when it goes away', async () => {
      generated = 0
      isSourceDestroyed = false
      const connection = await openConnection(service.http.url)
      connection.socket.pause()
      connection.write('GET /api/download/endless HTTP/1.1\r\nhost: x\r\n\r\n')
      let before = -1
      while (generated !== before || generated === 0) {
        before = generated
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      assert.ok(generated < 64 * mebibyte, `${generated} bytes`)
      connection.close()
      while (!isSourceDestroyed) await new Promise(setImmediate)
    })
  })
}
