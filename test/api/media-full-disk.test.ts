import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type AdapterName, adapters } from '../support/adapters.ts'
import { type Mount, mountSmallDisk, noMount } from '../support/mounts.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { image, type MediaService, startMediaService } from './media-support.ts'

const mebibyte = 1024 * 1024

interface SmallDisk {
  readonly bytes: number
  /** Of the service's working directory. */
  readonly folder: string
  readonly adapter?: AdapterName
}

/** A service with a folder on a small disk; false where nobody may mount one. */
async function withDisk(
  { bytes, folder, adapter = adapters[0] }: SmallDisk,
  work: (service: MediaService) => Promise<void>,
): Promise<boolean> {
  const service = await startMediaService({ adapter })
  let disk: Mount | undefined
  try {
    const directory = join(service.workingDirectory, folder)
    disk = mountSmallDisk(directory, bytes)
    if (disk === undefined) return false
    // The service made it at its start, on the disk below.
    mkdirSync(join(directory, '.incoming'), { recursive: true })
    await work(service)
    return true
  } finally {
    disk?.unmount()
    await service.stop()
  }
}

/** But for what the service writes now and then to find out whether there is room. */
const isEmpty = (service: MediaService) => service.incoming().length === 0

for (const adapter of adapters) {
  describe(`a full disk of uploads on ${adapter}`, slow, () => {
    it('is told at once, leaves nothing behind, and recovers by itself', async (test) => {
      const isMounted = await withDisk(
        { bytes: 8 * mebibyte, folder: 'uploads', adapter },
        async (service) => {
          const filler = join(service.workingDirectory, 'uploads/filler')
          const ready = async () => (await service.get('/api/readyz')).status
          const open = async () => {
            const { body } = await service.admin.get(
              '/api/admin/operational-alerts?kind=storage_low&status=open',
            )
            return body.data.some(({ message }: { message: string }) => /room for files/.test(message))
          }
          const large = await service.upload('x'.repeat(12 * mebibyte), 'large.txt')
          assert.equal(large.status, 507, JSON.stringify(large.body))
          assert.equal(large.body.error.code, 'STORAGE_FULL')
          assert.deepEqual(service.files(), [])
          await until(() => isEmpty(service), 'no part of it is left')
          await until(async () => (await ready()) === 200, 'ready, as there is room for all but that one')
          assert.throws(() => writeFileSync(filler, Buffer.alloc(16 * mebibyte)), /ENOSPC/)
          const small = await service.upload('x'.repeat(100_000), 'small.txt')
          assert.equal(small.status, 507, JSON.stringify(small.body))
          assert.equal(await ready(), 503)
          await until(open, 'the alert is raised')
          await until(() => isEmpty(service), 'no part of it is left')
          rmSync(filler)
          await until(async () => (await ready()) === 200, 'ready again')
          await until(async () => !(await open()), 'the alert is resolved')
          await service.add('x'.repeat(100_000), 'small.txt')
        },
      )
      if (!isMounted) test.skip(noMount)
    })
  })
}

describe('a full disk', slow, () => {
  it('stores no image whose thumbnails have no room', async (test) => {
    const isMounted = await withDisk({ bytes: mebibyte, folder: 'uploads' }, async (service) => {
      const picture = await image(2_000, 2_000)
      const filler = join(service.workingDirectory, 'uploads/filler')
      // The image alone has room.
      writeFileSync(filler, Buffer.alloc(mebibyte - Math.ceil(picture.length / 4096) * 4096 - 4096))
      const { status, body } = await service.upload(picture, 'picture.png')
      assert.equal(status, 507, JSON.stringify(body))
      assert.deepEqual(service.files(), ['filler'])
      await until(() => isEmpty(service), 'no part of it is left')
    })
    if (!isMounted) test.skip(noMount)
  })

  it('refuses an uploaded backup, and fails one that is made, without leaving parts of them', async (test) => {
    const isMounted = await withDisk({ bytes: mebibyte, folder: 'data/backups' }, async (service) => {
      const folder = join(service.workingDirectory, 'data/backups')
      rmSync(join(folder, '.incoming'), { recursive: true })
      const form = [{ name: 'file', content: 'x'.repeat(3 * mebibyte), filename: 'backup.tar' }]
      const sent = await service.send('POST', '/api/admin/backups/upload', form)
      assert.equal(sent.status, 507, JSON.stringify(sent.body))
      assert.deepEqual(readdirSync(folder), [])
      await service.add('x'.repeat(3 * mebibyte), 'large.txt')
      const made = await service.admin.post('/api/admin/backups', {})
      assert.equal(made.status, 503)
      assert.match(made.body.error.message, /ENOSPC/)
      assert.deepEqual(readdirSync(folder), [])
    })
    if (!isMounted) test.skip(noMount)
  })
})
