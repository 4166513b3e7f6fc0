import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { startMediaService } from '../api/media-support.ts'
import { type S3Store, startS3Store } from '../storage-s3/s3-store.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess } from '../support/process.ts'
import { createProject, type Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'
import { type BackupWorld, fill, schemas, startBackupWorld } from './backup-world.ts'

/** Files and backups are in one bucket. */
const inBucket = { STORAGE_TYPE: 's3', STORAGE_S3_PREFIX: 'media/', BACKUPS_STORAGE: 's3' }
/** Random, so that no more fits into one part of an upload. */
const large = randomBytes(12 * 1024 * 1024).toString('hex')

/** What the machine itself has in the folder of backups. */
const localFiles = ({ workingDirectory }: BackupWorld) => {
  const folder = join(workingDirectory, 'data/backups')
  return existsSync(folder) ? readdirSync(folder) : []
}

eachDatabase((database) => {
  describe('backups in a bucket', () => {
    let store: S3Store
    let world: BackupWorld
    let other: BackupWorld
    let url: Awaited<ReturnType<typeof database.createUrl>>
    let mediaUrl: string

    before(async () => {
      store = await startS3Store('site')
      url = await database.createUrl()
      const options = { database: { url: url.url }, env: { ...store.env('site'), ...inBucket } }
      world = await startBackupWorld(options)
      other = await startBackupWorld(options)
      await fill(world)
      mediaUrl = (await world.add(large, 'large.txt')).url
    })
    after(async () => {
      await world.stop()
      await other.stop()
      await url.drop()
      await store.close()
    })

    const backups = () => store.keys('site', 'backups')
    const titles = async () => {
      const { body } = await world.admin.get('/api/content/book?sort=id&fields=title')
      return body.data.map(({ title }: { title: string }) => title)
    }

    it('are whole there, apart from the files, and nowhere else', slow, async () => {
      const media = store.keys('site', 'media')
      const { id, size } = await world.backUp()
      assert.equal(backups().length, 1)
      assert.match(backups()[0] ?? '', /^backup-[\w-]+\.tar$/)
      assert.deepEqual(store.keys('site', 'media'), media)
      assert.deepEqual(store.unfinishedUploads('site'), [])
      assert.deepEqual(localFiles(world), [])
      assert.ok(size > large.length)
      assert.equal((await other.download(id)).length, size)
    })

    it('are restored by any process, with the files that are in the bucket, too', slow, async () => {
      const { id } = await world.backUp()
      const before = await titles()
      await world.admin.post('/api/content/author', { name: 'New' })
      await world.admin.put('/api/content/book/1', { title: 'Changed' })
      const files = (await world.admin.get('/api/media?search=large')).body.data
      assert.equal((await world.admin.delete(`/api/media/${files[0].id}`)).status, 200)
      await world.kernel.get(jobsService).drain()
      const preview = (await other.restore(id, { dryRun: true })).body.data
      assert.equal(preview.success, true, JSON.stringify(preview.problems))
      assert.equal((await titles()).includes('Changed'), true)
      const restored = await other.restore(id)
      assert.equal(restored.status, 200, JSON.stringify(restored.body))
      assert.deepEqual(await titles(), before)
      const { bytes } = await world.fetchFile(mediaUrl)
      assert.ok(bytes.equals(Buffer.from(large)))
      assert.deepEqual([...localFiles(world), ...localFiles(other)], [])
    })

    it('are uploaded, deleted and pruned like others', slow, async () => {
      const made = await world.backUp({ sections: { content: true } })
      const before = backups()
      const taken = await world.take(await world.download(made.id))
      assert.equal(backups().length, before.length + 1)
      assert.equal((await other.admin.delete(`/api/admin/backups/${taken}`)).status, 200)
      assert.deepEqual(backups(), before)
      await world.backUp({ retentionDays: 0, sections: { content: true } })
      const { body } = await world.admin.get('/api/admin/scheduled-jobs')
      const cleanup = body.data.find(({ name }: { name: string }) => name === 'backup.cleanup')
      const run = await world.admin.post(`/api/admin/scheduled-jobs/${cleanup.id}/run`)
      assert.equal(run.status, 202)
      // Either process may run it.
      await world.kernel.get(jobsService).finished(run.body.data.jobId)
      assert.deepEqual(backups(), before)
      assert.deepEqual(localFiles(world), [])
    })
  })
})

describe('a bucket of backups that fails', slow, () => {
  let store: S3Store
  let proxy: TcpProxy
  let world: BackupWorld

  before(async () => {
    store = await startS3Store('site')
    proxy = await startTcpProxy(Number(new URL(store.url).port))
    const address = { STORAGE_S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` }
    world = await startBackupWorld({ env: { ...store.env('site'), BACKUPS_STORAGE: 's3', ...address } })
    await world.add(large, 'large.txt')
  })
  after(async () => {
    await world.stop()
    await proxy.close()
    await store.close()
  })

  const alerts = async () => {
    const { body } = await world.admin.get('/api/admin/operational-alerts')
    const failures = body.data.filter(({ kind }: { kind: string }) => kind === 'backup_failure')
    return failures.map(({ status }: { status: string }) => status)
  }

  it('leaves no half backup, and says why', async () => {
    proxy.failAfter(10 * 1024 * 1024, 'cut')
    const { status, body } = await world.admin.post('/api/admin/backups', {})
    assert.equal(status, 503)
    assert.match(body.error.message, /the bucket site below backups\/ cannot be used: .*STORAGE_S3_ENDPOINT/)
    assert.deepEqual(await alerts(), ['open'])
    assert.deepEqual(localFiles(world), [])
    const [failed] = (await world.admin.get('/api/admin/backups')).body.data
    assert.deepEqual([failed.status, failed.size], ['failed', null])
    await proxy.mend()
    assert.deepEqual(store.keys('site', 'backups'), [])
    await world.backUp()
    assert.deepEqual(await alerts(), ['resolved'])
    assert.equal(store.keys('site', 'backups').length, 1)
  })

  it('refuses what needs a file, and leaves nothing of it on this machine', async () => {
    const { id } = await world.backUp()
    proxy.failAfter(5 * 1024 * 1024, 'cut')
    const preview = await world.restore(id, { dryRun: true })
    assert.equal(preview.status, 503)
    assert.match(preview.body.error.message, /could not be fetched from the bucket site/)
    assert.deepEqual(localFiles(world), [])
    const { body } = await world.admin.get(`/api/admin/backups/${id}/download`)
    assert.match(body.error.message, /the bucket site below backups/)
    await proxy.mend()
    assert.equal((await world.restore(id, { dryRun: true })).body.data.success, true)
    assert.deepEqual(localFiles(world), [])
  })

  it('is told apart from a file that is gone, or another one in its place', async () => {
    const [first, second] = [await world.backUp({ sections: { content: true } }), await world.backUp()]
    const [, , firstKey, secondKey] = store.keys('site', 'backups').sort()
    store.overwrite('site', `backups/${firstKey}`, `backups/${secondKey}`)
    const { status, body } = await world.restore(first.id)
    assert.deepEqual([status, body.error.details[0].code], [400, 'damaged'])
    store.remove('site', `backups/${secondKey}`)
    assert.equal((await world.restore(second.id, { dryRun: true })).status, 404)
    assert.equal((await world.admin.get(`/api/admin/backups/${second.id}/download`)).status, 404)
    assert.equal((await world.admin.delete(`/api/admin/backups/${second.id}`)).status, 200)
  })
})

describe('a process that is killed while it fetches a backup', slow, () => {
  let store: S3Store
  let proxy: TcpProxy
  let project: Project

  before(async () => {
    store = await startS3Store('site')
    proxy = await startTcpProxy(Number(new URL(store.url).port))
    const env = {
      ...store.env('site'),
      STORAGE_S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
      BACKUPS_STORAGE: 's3',
      SVC_JOBS_LEASE_MS: '900',
    }
    project = await createProject({ schemas, env })
  })
  after(async () => {
    await project.remove()
    await proxy.close()
    await store.close()
  })

  it('leaves nothing behind, and the restore is taken up by the next one', async () => {
    const first = startProcess({ project })
    const admin = await first.signIn()
    await admin.post('/api/content/author', { name: 'Ada' })
    // Enough to be still on its way when the bucket falls silent.
    await admin.post('/api/content/book', { title: 'Long', text: large.slice(0, 3 * 1024 * 1024) })
    const { id } = (await admin.post('/api/admin/backups', {})).body.data
    await admin.post('/api/content/author', { name: 'Gone' })
    proxy.failAfter(512 * 1024, 'freeze')
    const answer = admin.post(`/api/admin/backups/${id}/restore`, {}).catch(() => undefined)
    const fetched = () => readdirSync(join(project.workingDirectory, 'data/backups'))
    await until(() => fetched().length === 1)
    await first.end('SIGKILL')
    await answer
    assert.equal(fetched().length, 1)
    await proxy.mend()
    // Time enough for a busy machine: what is its own is not taken from it.
    const second = startProcess({ project, env: { SVC_JOBS_LEASE_MS: '30000' } })
    const again = await second.signIn()
    const authors = async () => (await again.get('/api/content/author')).body.data?.length
    await until(async () => (await authors()) === 1)
    await until(() => fetched().length === 0)
    await second.end('SIGTERM')
  })
})

describe('the bucket of backups', () => {
  let store: S3Store
  before(async () => {
    store = await startS3Store('site', 'private')
  })
  after(() => store.close())

  const starting = async (change: Record<string, string>) => {
    const env = { ...store.env('site'), ...inBucket, ...change }
    const service = await startMediaService({ env })
    await service.stop()
  }

  it('is set up so that nobody reads backups as files', slow, async () => {
    const publicUrl = { STORAGE_S3_PUBLIC_URL: 'https://cdn.example.com' }
    await assert.rejects(starting(publicUrl), /BACKUPS_S3_BUCKET: is missing, and everybody may read/)
    await starting({ ...publicUrl, BACKUPS_S3_BUCKET: 'private' })
    await assert.rejects(starting({ BACKUPS_S3_PREFIX: 'media/' }), /BACKUPS_S3_PREFIX: is that of files/)
    for (const prefix of ['../', 'a/../', './', '/', '/a/', 'a', 'a//', 'ä/']) {
      await assert.rejects(starting({ BACKUPS_S3_PREFIX: prefix }), /BACKUPS_S3_PREFIX: is no prefix/, prefix)
    }
  })

  it('has to be named, by a storage that there is', slow, async () => {
    await assert.rejects(starting({ BACKUPS_STORAGE: 'tape' }), /BACKUPS_STORAGE: is tape.*local, s3/)
    const none = { STORAGE_TYPE: 'local', STORAGE_S3_BUCKET: '' }
    await assert.rejects(starting(none), /BACKUPS_S3_BUCKET: is missing/)
  })

  it('does not keep the service from starting, and says what is wrong', slow, async () => {
    const wrong = { STORAGE_TYPE: 'local', STORAGE_S3_ACCESS_KEY_ID: 'wrong' }
    for (const [change, names] of [
      [wrong, /STORAGE_S3_ACCESS_KEY_ID and STORAGE_S3_SECRET_ACCESS_KEY/],
      [{ BACKUPS_S3_BUCKET: 'none' }, /BACKUPS_S3_BUCKET/],
    ] as const) {
      const world = await startBackupWorld({ env: { ...store.env('site'), ...inBucket, ...change } })
      try {
        const { status, body } = await world.admin.post('/api/admin/backups', {})
        assert.equal(status, 503)
        assert.match(body.error.message, names)
        assert.ok(world.logLines.some(({ message }) => message === 'backups cannot be stored at present'))
      } finally {
        await world.stop()
      }
    }
  })
})
