import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type BackupWorld, startBackupWorld } from './backup-world.ts'

eachDatabase(({ name: database }) => {
  describe('a backup whose process died', slow, () => {
    let world: BackupWorld
    before(async () => {
      world = await startBackupWorld({ database, env: { SVC_JOBS_LEASE_MS: '900' } })
    })
    after(() => world.stop())

    it('leaves no second file where that was complete and its record was not', async () => {
      const { id } = await world.backUp()
      const [file] = world.backupFiles()
      await leaveUnfinished(world, id)
      await until(async () => (await read(id)).status === 'completed')
      const files = world.backupFiles()
      assert.equal(files.length, 1, `${files}`)
      assert.notEqual(files[0], file)
      const { body } = await world.restore(id, { dryRun: true })
      assert.equal(body.data.success, true)
    })

    it('takes its file along when it is deleted, also if it never was completed', async () => {
      const before = world.backupFiles()
      const { id } = await world.backUp()
      await run(world, sql`update svc_backups set status = 'failed', size = null where id = ${id}`)
      assert.equal((await world.admin.delete(`/api/admin/backups/${id}`)).status, 200)
      assert.deepEqual(world.backupFiles(), before)
    })

    it('does not make a failure of a restore that was completed', async () => {
      const { id } = await world.backUp()
      assert.equal((await world.restore(id)).status, 200)
      await leaveActive(world, 'backup.restore')
      const job = async () => (await world.admin.get('/api/admin/jobs?name=backup.restore')).body.data[0]
      await until(async () => ['completed', 'failed'].includes((await job()).status))
      const { status, attempts, error } = await job()
      assert.deepEqual([status, attempts, error], ['completed', 2, null])
    })

    const read = async (id: number) => (await world.admin.get(`/api/admin/backups/${id}`)).body.data
  })
})

/** As a process leaves it that is killed right before it would note that the file is complete. */
async function leaveUnfinished(world: BackupWorld, id: number): Promise<void> {
  await run(
    world,
    sql`update svc_backups set status = 'running', size = null, checksum = null, completed_at = null where id = ${id}`,
  )
  await leaveActive(world, 'backup.create')
}

/** The jobs of a kind, as their process leaves them that is killed before it notes that they have ended. */
async function leaveActive(world: BackupWorld, name: string): Promise<void> {
  await run(
    world,
    sql`update svc_jobs set status = 'active', worker = 'dead', running_mailbox = mailbox, lease_until = created_at,
      finished_at = null where name = ${name}`,
  )
}

async function run(world: BackupWorld, statement: ReturnType<typeof sql>): Promise<void> {
  const database = world.kernel.get(databaseService)
  await database.run(database.prepare(statement))
}
