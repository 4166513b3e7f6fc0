import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { limitSilence } from '../../core-plugins/administration/storage-s3/silence.ts'
import { type MediaService, startMediaService } from '../api/media-support.ts'
import { slow } from '../support/scope.ts'
import { type FaultyStore, startFaultyStore } from './faulty-store.ts'
import { type S3Store, startS3Store } from './s3-store.ts'

describe('a bucket that takes requests and does not answer', () => {
  let store: S3Store
  let faulty: FaultyStore
  let service: MediaService

  before(async () => {
    store = await startS3Store('media')
    faulty = await startFaultyStore(store.url)
    service = await startMediaService({
      env: {
        ...store.env('media'),
        ...{ STORAGE_TYPE: 's3', STORAGE_S3_ENDPOINT: faulty.url, STORAGE_S3_TIMEOUT_MS: '700' },
      },
    })
  })
  afterEach(() => faulty.work())
  after(async () => {
    await service.stop()
    faulty.close()
    await store.close()
  })

  it('is not waited for by those who read a file', slow, async () => {
    const { url } = await service.add('0123456789', 'a.txt')
    faulty.fail({ kind: 'silence' })
    const { status, headers, body } = await service.get(url)
    assert.deepEqual([status, body.error.code, body.error.reason], [503, 'UNAVAILABLE', 'storage_away'])
    assert.equal(headers.get('retry-after'), '5')
    faulty.work()
    assert.equal((await service.fetchFile(url)).bytes.toString(), '0123456789')
  })

  it('is not waited for by those who send one, of one part or of several', slow, async () => {
    faulty.fail({ kind: 'silence' }, ['PUT'])
    for (const content of ['0123456789', randomBytes(5 * 1024 * 1024).toString('hex')]) {
      const { status, body } = await service.upload(content, 'a.txt')
      assert.deepEqual([status, body.error.reason], [503, 'storage_away'])
    }
  })

  it('ends an answer that it does not go on with', slow, async () => {
    const { url } = await service.add(randomBytes(1024 * 1024).toString('hex'), 'a.txt')
    faulty.fail({ kind: 'stall', bytes: 1_000 }, ['GET'])
    await assert.rejects(service.fetchFile(url), /terminated/)
    faulty.fail({ kind: 'cut', bytes: 1_000 }, ['GET'])
    await assert.rejects(service.fetchFile(url), /terminated/)
  })
})

it('a reader that takes its time is not taken for a store that is silent', async (test) => {
  const content = Buffer.alloc(1024 * 1024, 'x')
  const server = createServer((_, response) => response.end(content))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  test.after(() => server.close())
  const limitMs = 50
  const sent = request({ port: (server.address() as AddressInfo).port }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  limitSilence(answer, limitMs)
  let length = 0
  for await (const bytes of answer) {
    // The limit has passed at least twice then.
    if (length === 0) await timesOut(answer.socket, 2)
    length += bytes.length
  }
  assert.equal(length, content.length)
})

async function timesOut(socket: Socket, times: number) {
  for (let time = 0; time < times; time++) await once(socket, 'timeout')
}
