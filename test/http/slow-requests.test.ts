import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import { defineRoute } from '../../core-plugins/foundation/http/http.ts'
import { maxHeaders } from '../../core-plugins/foundation/http/servers/server-port.ts'
import { adapters } from '../support/adapters.ts'
import { slow } from '../support/scope.ts'
import { openConnection } from './raw-connection.ts'
import { json, startService, type TestService } from './service.ts'

const open = { access: 'open', summary: 'A route under test', method: 'POST' } as const

const dripMs = 500

interface SlowRequest {
  readonly bytes: string
  /** Sent again and again behind the others. */
  readonly drip?: string
}

function post(path: string, headers: string, body: string): string {
  return `POST /api/${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`
}

function get(headers: string): string {
  return `GET /api/livez HTTP/1.1\r\nhost: x\r\n${headers}`
}

const tooMany = Array.from({ length: maxHeaders }, (_, index) => `h${index}: 1\r\n`).join('')

const neverWhole: Readonly<Record<string, SlowRequest>> = {
  'a body that stands still': { bytes: post('echo', 'content-length: 200', '{') },
  'chunks that stand still': { bytes: post('echo', 'transfer-encoding: chunked', '20\r\n{') },
  'a body that drips': { bytes: post('echo', 'content-length: 20000', '{'), drip: ' ' },
  'chunks that drip': { bytes: post('echo', 'transfer-encoding: chunked', ''), drip: '1\r\n \r\n' },
  'a stream that stands still': { bytes: post('upload', 'content-length: 200', '{') },
  'a stream that drips': { bytes: post('upload', 'content-length: 20000', '{'), drip: ' ' },
  'a body that nobody reads': { bytes: post('bodiless', 'content-length: 20000', '{'), drip: ' ' },
  'a head that drips': { bytes: get(''), drip: 'a: b\r\n' },
  'too many headers': { bytes: `${get(tooMany)}\r\n` },
  'an extension of a chunk that ends in a bare LF': {
    bytes: post('echo', 'transfer-encoding: chunked', '2;a\nb\r\n{}\r\n0\r\n\r\n'),
  },
}

for (const adapter of adapters) {
  describe(`slow requests on ${adapter}`, slow, () => {
    let service: TestService
    const read: number[] = []

    before(async () => {
      const upload = defineRoute({
        ...open,
        name: 'test:upload.create',
        path: '/upload',
        bodyMode: 'stream',
        maxBodyBytes: 10_000_000,
        async handler({ stream }) {
          let size = 0
          for await (const chunk of stream) size += (chunk as Buffer).length
          read.push(size)
          return size
        },
      })
      const echo = defineRoute({
        ...open,
        name: 'test:echo.create',
        path: '/echo',
        body: Type.Unknown(),
        handler: () => void read.push(1),
      })
      const bodiless = defineRoute({
        ...open,
        name: 'test:bodiless.create',
        path: '/bodiless',
        handler: () => 'x',
      })
      service = await startService({ adapter, routes: [upload, echo, bodiless] })
    })
    after(() => service.stop())

    it('are cut', async () => {
      const cut = async ({ bytes, drip }: SlowRequest) => {
        const connection = await openConnection(service.http.url)
        connection.write(bytes)
        const timer = drip === undefined ? undefined : setInterval(() => connection.write(drip), dripMs)
        await connection.readToEnd()
        clearInterval(timer)
      }
      await Promise.all(Object.values(neverWhole).map(cut))
      assert.deepEqual(read, [])
    })

    it('are read for as long as they come fast enough', async () => {
      const pieces = 26
      const body = async function* () {
        for (let sent = 0; sent < pieces; sent++) {
          yield new Uint8Array(50_000)
          await new Promise((resolve) => setTimeout(resolve, dripMs))
        }
      }
      const init = { method: 'POST', body: body(), duplex: 'half' } as unknown as RequestInit
      assert.equal((await json(await service.fetch('/upload', init))).data, pieces * 50_000)
    })
  })
}
