import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { openBucket } from '../../core-plugins/administration/storage-s3/bucket.ts'
import { startBackupWorld } from '../backups/backup-world.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type S3Store, startS3Store } from './s3-store.ts'
import { type SlowStore, startSlowStore } from './slow-store.ts'

describe('an upload to a bucket that is given up while the store answers slowly', () => {
  let store: S3Store
  let slowStore: SlowStore

  before(async () => {
    store = await startS3Store('site')
    slowStore = await startSlowStore(store.url)
  })
  after(async () => {
    slowStore.release()
    slowStore.close()
    await store.close()
  })

  const bucket = () =>
    openBucket({
      ...{ bucket: 'site', prefix: 'given-up/', region: 'us-east-1', endpoint: slowStore.url },
      ...{ forcePathStyle: true, publicUrl: undefined, timeoutMs: 5_000 },
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    })

  it('leaves nothing', async () => {
    const opened = bucket()
    const stop = new AbortController()
    slowStore.hold()
    const written = opened.write('file.tar', Readable.from([Buffer.alloc(1024 * 1024)]), {}, stop.signal)
    const rejected = assert.rejects(written, /enough/)
    await until(() => slowStore.held > 0)
    assert.equal(store.keys('site', 'given-up').length, 1)
    stop.abort(new Error('enough'))
    slowStore.release()
    await rejected
    assert.deepEqual(store.keys('site', 'given-up'), [])
    opened.close()
  })

  it('leaves nothing of a backup that is cancelled', slow, async (test) => {
    const env = { ...store.env('site'), BACKUPS_STORAGE: 's3', STORAGE_S3_ENDPOINT: slowStore.url }
    const world = await startBackupWorld({ env })
    test.after(() => world.stop())
    slowStore.hold()
    const answer = world.admin.post('/api/admin/backups', {})
    await until(() => slowStore.held > 0)
    assert.equal(store.keys('site', 'backups').length, 1)
    const { body } = await world.admin.get('/api/admin/jobs?status=active')
    const job = body.data.find(({ name }: { name: string }) => name === 'backup.create')
    assert.equal((await world.admin.post(`/api/admin/jobs/${job.id}/cancel`)).status, 200)
    slowStore.release()
    await answer
    await until(() => store.keys('site', 'backups').length === 0)
    const [backup] = (await world.admin.get('/api/admin/backups')).body.data
    assert.equal(backup.status, 'failed')
  })
})
