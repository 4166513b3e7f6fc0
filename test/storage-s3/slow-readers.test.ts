import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startMediaService } from '../api/media-support.ts'
import { openConnection } from '../http/raw-connection.ts'
import { slow } from '../support/scope.ts'
import { startS3Store } from './s3-store.ts'

/** More than the SDK would open connections to a store. */
const readers = 60

it('clients that take a file slowly keep no others from the bucket', slow, async () => {
  const store = await startS3Store('media')
  const service = await startMediaService({ env: { ...store.env('media'), STORAGE_TYPE: 's3' } })
  try {
    const large = await service.add('0123456789abcdef'.repeat(1024 * 1024), 'large.txt')
    const small = await service.add('0123456789', 'small.txt')
    const { pathname } = new URL(large.url, service.url)
    const slow = await Promise.all(
      Array.from({ length: readers }, async () => {
        const connection = await openConnection(service.url)
        connection.write(`GET ${pathname} HTTP/1.1\r\nhost: x\r\n\r\n`)
        await connection.read((text) => text.includes('HTTP/1.1 200'))
        connection.socket.pause()
        return connection
      }),
    )
    assert.equal((await service.fetchFile(small.url)).bytes.toString(), '0123456789')
    assert.equal((await service.upload('9876543210', 'other.txt')).status, 201)
    for (const connection of slow) connection.close()
  } finally {
    await service.stop()
    await store.close()
  }
})
