import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { type BackupWorld, fill, schemas, startBackupWorld } from './backup-world.ts'

describe('a backup that fails', slow, () => {
  it('says why, raises an alert, and a later one resolves it', async () => {
    const world: BackupWorld = await startBackupWorld()
    try {
      await fill(world)
      const folder = join(world.workingDirectory, 'data/backups')
      mkdirSync(dirname(folder), { recursive: true })
      writeFileSync(folder, 'in the way')
      const { status, body } = await world.admin.post('/api/admin/backups', { name: 'Doomed' })
      assert.equal(status, 503)
      assert.match(body.error.message, /^backup 1 has failed: .*EEXIST|ENOTDIR/)
      const failed = (await world.admin.get('/api/admin/backups?status=failed')).body.data
      assert.equal(failed[0].name, 'Doomed')
      const alerts = async () => {
        const { body } = await world.admin.get('/api/admin/operational-alerts')
        return body.data.filter(({ kind }: { kind: string }) => kind === 'backup_failure')
      }
      assert.deepEqual(
        (await alerts()).map(({ status }: { status: string }) => status),
        ['open'],
      )
      rmSync(folder)
      await world.backUp()
      assert.deepEqual(
        (await alerts()).map(({ status }: { status: string }) => status),
        ['resolved'],
      )
    } finally {
      await world.stop()
    }
  })
})

describe('a backup without other plugins', slow, () => {
  it('holds what there is', async () => {
    const off = 'media,storage-s3,schedules,alerts,audit,runtime-config'
    const service = await startService({ schemas: withoutMedia(), env: { SVC_PLUGINS_DISABLED: off } })
    try {
      await service.admin.post('/api/content/author', { name: 'Ada' })
      const { status, body } = await service.admin.post('/api/admin/backups', {})
      assert.equal(status, 201, JSON.stringify(body))
      assert.equal(body.data.sections.media, false)
      assert.equal(body.data.sections.config, false)
      const asked = await service.admin.post('/api/admin/backups', { sections: { media: true } })
      assert.equal(asked.status, 400)
      await service.admin.post('/api/content/author', { name: 'Gone' })
      const restored = await service.admin.post(`/api/admin/backups/${body.data.id}/restore`)
      assert.equal(restored.status, 200, JSON.stringify(restored.body))
      const authors = (await service.admin.get('/api/content/author')).body.data
      assert.deepEqual(
        authors.map(({ name }: { name: string }) => name),
        ['Ada'],
      )
    } finally {
      await service.stop()
    }
  })
})

function withoutMedia() {
  const { account: _, favourite: __, ...attributes } = schemas['author.json'].attributes
  return { 'author.json': { ...schemas['author.json'], attributes } }
}
