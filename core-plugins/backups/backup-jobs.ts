import { Type } from 'typebox'
import type { Alerts, NewAlert } from '../alerts/alerts.ts'
import { AppError, asAppError, strict } from '../http/http.ts'
import { defineJob, type Job, type JobKind, UnretriableJobError } from '../jobs/jobs.ts'
import { DamagedArchive } from './archive/damaged-archive.ts'
import type { BackupRow, BackupStore } from './backup-store.ts'
import type { NewBackup } from './backups.ts'
import type { Catalog } from './catalog.ts'
import type { Archives } from './files/archives.ts'
import { longestTaskMs, type PackScope, packArchive } from './pack/pack-archive.ts'
import { type RestoreScope, runRestore } from './restore/run-restore.ts'
import type { Refusal, RestoreStore } from './restore-store.ts'

export interface JobScope {
  readonly pack: PackScope
  readonly restore: () => RestoreScope
  readonly store: BackupStore
  readonly restores: RestoreStore
  readonly archives: Archives
  readonly alerts: Alerts | undefined
  /** Told after a restore, in this process. */
  readonly onRestored: (restore: { readonly sections: RestoreScopeSections }) => Promise<void>
}

type RestoreScopeSections = Parameters<BackupStore['insert']>[0]['sections']

const ofOne = Type.Object({ id: Type.Integer() }, strict)

const alertKind = 'backup_failure'
const attempts = 3

/** Makes the archive of one backup. */
export function createBackupJob(scope: JobScope): JobKind<{ id: number }> {
  const { pack, store, archives, alerts } = scope

  async function removeFile({ fileName }: BackupRow): Promise<void> {
    if (fileName !== null) await archives.remove(fileName)
  }

  return defineJob({
    name: 'backup.create',
    payload: ofOne,
    maxAttempts: attempts,
    timeoutMs: longestTaskMs,
    async run({ id }, { signal, reportProgress }) {
      const backup = await store.find(id)
      if (backup === undefined) throw new UnretriableJobError(`there is no backup ${id} any more`)
      if (backup.status === 'completed') return { size: backup.size }
      // An earlier attempt may have died right after it was complete.
      await removeFile(backup)
      const fileName = archives.newName()
      await store.start(id, fileName)
      const path = await archives.newPartial()
      try {
        const { name, sections } = backup
        const { size, checksum, counts } = await packArchive(pack, {
          path,
          name,
          sections,
          signal,
          reportProgress,
        })
        await archives.keep(path, fileName, signal)
        if (!(await store.complete(id, { size, checksum, counts, fileName }))) {
          await archives.remove(fileName)
          throw new UnretriableJobError(`backup ${id} was taken over by another process, or deleted`)
        }
        await alerts?.resolve(alertKind)
        return { size }
      } finally {
        await archives.discard(path)
      }
    },
    async onGivenUp({ id }, { error, status }) {
      const reason = error ?? `its job was ${status}`
      const backup = await store.find(id)
      await store.fail(id, reason)
      // Whoever cancels it knows.
      if (status !== 'cancelled') await alerts?.raise(failureAlert(id, reason))
      // Last, as what made the backup fail may be in the way of this, too.
      if (backup !== undefined) await removeFile(backup)
    },
  })
}

function failureAlert(id: number, reason: string): NewAlert {
  return {
    kind: alertKind,
    severity: 'critical',
    message: `Backup ${id} has failed: ${reason}. See to it, and make another one.`,
    details: { backup: id, error: reason },
  }
}

/** Restores one backup. */
export function createRestoreJob(scope: JobScope): JobKind<{ id: number }> {
  const { restores } = scope
  return defineJob({
    name: 'backup.restore',
    payload: ofOne,
    maxAttempts: attempts,
    // What takes a process down before the commit would do so again, and nothing is served meanwhile.
    maxDeaths: 2,
    timeoutMs: longestTaskMs,
    async run({ id }, { signal, reportProgress }) {
      const restore = await restores.find(id)
      if (restore?.status === 'completed') {
        // The process that completed it died before it had told everybody, or before its job could say so.
        await scope.onRestored({ sections: restore.sections })
        return restore.result
      }
      if (restore?.active !== 1) throw new UnretriableJobError('this restore has ended; ask for another one')
      try {
        const result = await runRestore(scope.restore(), { restore, signal, reportProgress })
        await restores.complete(id, result)
        await scope.onRestored({ sections: restore.sections })
        return result
      } catch (error) {
        const refusal = refusalOf(error)
        // After the commit only a machine can be in the way, and that is worth another try.
        if (refusal === undefined || (await restores.find(id))?.status === 'committed') throw error
        await restores.fail(id, refusal)
        throw new UnretriableJobError(refusal.message, { cause: error })
      }
    },
    async onGivenUp({ id }, job) {
      if ((await restores.find(id))?.active === 1) await restores.fail(id, givenUp(job))
    },
  })
}

function giveUpIfRefused(error: unknown): never {
  if (error instanceof AppError && error.code === 'FORBIDDEN') {
    throw new UnretriableJobError(error.message, { cause: error })
  }
  throw error
}

/** What trying again would not change. */
function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof DamagedArchive) {
    return { code: 'VALIDATION_ERROR', message: `the backup ${error.message}` }
  }
  const { code, message, details } = asAppError(error)
  if (code === 'STORAGE_FULL') return { code, message }
  if (!(error instanceof AppError) || code === 'UNAVAILABLE') return undefined
  return { code, message, details }
}

function givenUp({ error, status }: Job): Refusal {
  return { code: 'UNAVAILABLE', message: `the restore has failed: ${error ?? `its job was ${status}`}` }
}

/** Has a backup made at the times of the schedule. `settings` refuses where nobody may have it made any more. */
export function createScheduledJob(
  catalog: () => Catalog,
  settings: () => Promise<NewBackup>,
): JobKind<Record<string, never>> {
  return defineJob({
    name: 'backup.scheduled',
    payload: Type.Object({}, strict),
    async run(_, { job }) {
      const backup = await catalog().request({
        ...(await settings().catch(giveUpIfRefused)),
        madeByJob: job.id,
      })
      return { backup: backup.id }
    },
  })
}

/** Specification, "Backups, jobs, alerts": removes expired backups, and what killed processes have left behind. */
export function createCleanupJob(catalog: () => Catalog, archives: Archives): JobKind<Record<string, never>> {
  return defineJob({
    name: 'backup.cleanup',
    payload: Type.Object({}, strict),
    async run() {
      await catalog().reconcile()
      const removed = await catalog().removeExpired()
      await archives.sweep()
      return { removed }
    },
  })
}
