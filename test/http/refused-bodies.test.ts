import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import { AppError, defineRoute } from '../../core-plugins/foundation/http/http.ts'
import { adapters } from '../support/adapters.ts'
import { adminEmail, adminPassword } from '../support/project.ts'
import { type RunningProxy, skipWithoutProxy, startNginx } from '../support/proxies.ts'
import { startService as startWholeService } from '../support/service.ts'
import { openConnection, type RawConnection, statusesIn } from './raw-connection.ts'
import { json, startService, type TestService } from './service.ts'

const open = { access: 'open', summary: 'A route under test', method: 'POST' } as const

/** Far more than the buffers of a connection hold, so that whoever closes it with that unread breaks it. */
const manyBytes = 24_000_000

const routes = [
  defineRoute({ ...open, name: 'test:echo.create', path: '/echo', body: Type.Unknown(), handler: () => 1 }),
  defineRoute({
    ...open,
    name: 'test:limited.create',
    path: '/limited',
    bodyMode: 'stream',
    maxBodyBytes: 1_000_000,
    async handler({ stream }) {
      let size = 0
      for await (const chunk of stream) size += (chunk as Buffer).length
      return size
    },
  }),
  defineRoute({
    ...open,
    name: 'test:unread.create',
    path: '/unread',
    bodyMode: 'stream',
    maxBodyBytes: 1e12,
    handler({ stream }) {
      // Opened, and left alone.
      stream.once('error', () => undefined)
      throw new AppError('PAYLOAD_TOO_LARGE', 'that is too much')
    },
  }),
  defineRoute({
    ...open,
    name: 'test:secret.create',
    path: '/secret',
    access: 'super-admin',
    bodyMode: 'stream',
    handler: () => 1,
  }),
]

/** The status of each refusal, by the path of what refuses. */
const refusals = { echo: 413, limited: 413, unread: 413, secret: 403 }

type Framing = 'content-length' | 'chunked'

const piece = Buffer.alloc(64_000, 0x20)

function framed(bytes: Buffer, framing: Framing): Buffer {
  if (framing === 'content-length') return bytes
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

function headOf(path: string, framing: Framing, more = ''): string {
  const length = framing === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${manyBytes}`
  return `POST /api/${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${more}${length}\r\n\r\n`
}

/** At the pace of the connection. Resolves early if that breaks. */
async function sendBody({ socket }: RawConnection, framing: Framing, bytes = manyBytes): Promise<void> {
  const gone = new Promise((resolve) => socket.once('close', resolve))
  for (let rest = bytes; rest > 0 && !socket.destroyed; rest -= piece.length) {
    if (!socket.write(framed(piece.subarray(0, Math.min(rest, piece.length)), framing))) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), gone])
    }
  }
  if (framing === 'chunked' && !socket.destroyed) socket.write('0\r\n\r\n')
}

/** Sends all of a body, and only then looks for the answer, as many clients do. */
async function answerTo(url: string, path: string, framing: Framing): Promise<string> {
  const connection = await openConnection(url)
  const broken = new Promise<never>((_, reject) => connection.socket.once('error', reject))
  broken.catch(() => undefined)
  connection.write(headOf(path, framing))
  await Promise.race([sendBody(connection, framing), broken])
  const text = await connection.read()
  connection.close()
  return text
}

/** Passes bodies on while they come. */
const startUnbufferedNginx = (service: string) =>
  startNginx(
    ({ port }) => `
client_max_body_size 0;
upstream mortise {
  server ${new URL(service).host};
  keepalive 8;
  keepalive_timeout 5s;
}
server {
  listen 127.0.0.1:${port};
  location / {
    proxy_pass http://mortise;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_request_buffering off;
  }
}
`,
  )

for (const adapter of adapters) {
  describe(`a request that is refused while its body comes, on ${adapter}`, () => {
    let service: TestService
    before(async () => {
      service = await startService({ adapter, routes })
    })
    after(() => service.stop())

    for (const framing of ['content-length', 'chunked'] as const) {
      it(`is answered, and the connection is whole until the body has ended (${framing})`, async () => {
        for (const [path, status] of Object.entries(refusals)) {
          assert.deepEqual(statusesIn(await answerTo(service.http.url, path, framing)), [status], path)
        }
      })
    }

    it('leaves a connection that serves on', async () => {
      const connection = await openConnection(service.http.url)
      connection.write(headOf('limited', 'content-length'))
      await sendBody(connection, 'content-length')
      connection.write('GET /api/livez HTTP/1.1\r\nhost: x\r\n\r\n')
      const text = await connection.read((received) => statusesIn(received).length === 2)
      assert.deepEqual(statusesIn(text), [413, 200])
      connection.close()
    })

    it('is cut off when there is no end to it', async () => {
      const connection = await openConnection(service.http.url)
      connection.write(headOf('limited', 'chunked'))
      await sendBody(connection, 'chunked', Number.POSITIVE_INFINITY)
      assert.ok(connection.socket.destroyed)
    })

    it('is refused before the body is sent, where the client waits for that', async () => {
      const expect = 'expect: 100-continue\r\n'
      const refused = await openConnection(service.http.url)
      refused.write(headOf('limited', 'content-length', expect))
      const text = await refused.read((received) => received.includes('HTTP/1.1 413'))
      // uWebSockets.js tells every such client to go on before the service sees the request.
      assert.deepEqual(statusesIn(text), adapter === 'node-http' ? [413] : [100, 413])
      refused.close()
      const taken = await openConnection(service.http.url)
      taken.write(`POST /api/limited HTTP/1.1\r\nhost: x\r\n${expect}content-length: 3\r\n\r\n`)
      await taken.read((received) => received.includes('HTTP/1.1 100 Continue\r\n\r\n'))
      taken.write('abc')
      assert.match(await taken.read((received) => received.includes('"data":3')), /HTTP\/1\.1 200 OK/)
      taken.close()
    })
  })

  describe(`a body that is too large, through nginx that does not buffer, to ${adapter}`, {
    skip: skipWithoutProxy('nginx'),
  }, () => {
    let service: TestService
    let proxy: RunningProxy
    before(async () => {
      service = await startService({ adapter, routes })
      proxy = await startUnbufferedNginx(service.http.url)
    })
    after(async () => {
      await proxy.stop()
      await service.stop()
    })

    for (const framing of ['content-length', 'chunked'] as const) {
      it(`is answered with 413 each time (${framing})`, async () => {
        const statuses = []
        for (let times = 0; times < 12; times++) {
          const connection = await openConnection(proxy.url)
          connection.write(headOf('limited', framing))
          const sent = sendBody(connection, framing)
          statuses.push(...statusesIn(await connection.read()))
          connection.close()
          await sent
        }
        assert.deepEqual(
          statuses,
          Array.from({ length: 12 }, () => 413),
        )
        assert.equal((await json(await fetch(`${proxy.url}/api/livez`))).data.status, 'live')
      })
    }
  })
  it(`a file above media.maxFileSize gets 413 through nginx, each time, from ${adapter}`, {
    skip: skipWithoutProxy('nginx'),
  }, async () => {
    const whole = await startWholeService({ adapter, env: { SVC_MEDIA_MAX_FILE_SIZE: '1000000' } })
    const proxy = await startUnbufferedNginx(whole.url)
    const form = new FormData()
    // Fewer bytes than several files might have: which one is too large shows on the way.
    form.append('file', new Blob([new Uint8Array(4_000_000)]), 'a.bin')
    const login = { identifier: adminEmail, password: adminPassword }
    const { body } = await whole.post('/api/admin/auth/login', login)
    const headers = { authorization: `Bearer ${body.data.token}` }
    for (let times = 0; times < 24; times++) {
      const answer = await fetch(`${proxy.url}/api/upload`, { method: 'POST', headers, body: form })
      assert.equal(answer.status, 413)
      assert.match((await json(answer)).error.message, /media\.maxFileSize/)
    }
    await proxy.stop()
    await whole.stop()
  })
}
