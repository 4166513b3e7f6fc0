import { Type } from 'typebox'
import type { Alerts, NewAlert } from '../../background/alerts/alerts.ts'
import { defineJob, type Job, type JobKind, UnretriableJobError } from '../../background/jobs/jobs.ts'
import { AppError, asAppError, strict } from '../../foundation/http/http.ts'
import { DamagedArchive } from './archive/damaged-archive.ts'
import type { BackupStore } from './backup-store.ts'
import type { NewBackup } from './backups.ts'
import type { Catalog } from './catalog.ts'
import type { Archives } from './files/archives.ts'
import { longestTaskMs, type PackDeps, packArchive } from './pack/pack-archive.ts'
import { type RestoreDeps, runRestore } from './restore/run-restore.ts'
import type { RestoreStore } from './restore-store.ts'
import type { BackupRow, Refusal } from './tables.ts'

export interface JobDeps {
  readonly pack: PackDeps
  readonly restore: () => RestoreDeps
  readonly store: BackupStore
  readonly restores: RestoreStore
  readonly archives: Archives
  readonly alerts: Alerts | undefined
  /** Called after a restore, in this process. */
  readonly onRestored: (restore: { readonly sections: RestoreScopeSections }) => Promise<void>
}

type RestoreScopeSections = Parameters<BackupStore['insert']>[0]['sections']

const ofOne = Type.Object({ id: Type.Integer() }, strict)

const alertKind = 'backup_failure'
const attempts = 3

/** Creates the archive of one backup. */
export function createBackupJob(deps: JobDeps): JobKind<{ id: number }> {
  const { pack, store, archives, alerts } = deps

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
      // An earlier attempt may have died right after completing it.
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
      // The person who cancelled it needs no alert.
      if (status !== 'cancelled') await alerts?.raise(failureAlert(id, reason))
      // Last, since the cause of the failure may make this fail, too.
      if (backup !== undefined) await removeFile(backup)
    },
  })
}

function failureAlert(id: number, reason: string): NewAlert {
  return {
    kind: alertKind,
    severity: 'critical',
    message: `Backup ${id} has failed: ${reason}. Fix the cause, then make another one.`,
    details: { backup: id, error: reason },
  }
}

/** Restores one backup. */
export function createRestoreJob(deps: JobDeps): JobKind<{ id: number }> {
  const { restores } = deps
  return defineJob({
    name: 'backup.restore',
    payload: ofOne,
    maxAttempts: attempts,
    // An error that kills a process before the commit would do so again, and nothing is served meanwhile.
    maxDeaths: 2,
    timeoutMs: longestTaskMs,
    async run({ id }, { signal, reportProgress }) {
      const restore = await restores.find(id)
      if (restore?.status === 'completed') {
        // The process that completed it died before notifying everybody, or before its job could be marked
        // completed.
        await deps.onRestored({ sections: restore.sections })
        return restore.result
      }
      if (restore?.active !== 1) throw new UnretriableJobError('this restore has ended; ask for another one')
      try {
        const result = await runRestore(deps.restore(), { restore, signal, reportProgress })
        await restores.complete(id, result)
        await deps.onRestored({ sections: restore.sections })
        return result
      } catch (error) {
        const refusal = refusalOf(error)
        // After the commit only an infrastructure failure can be in the way, which is worth a retry.
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

/** Errors that a retry would not fix. */
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

/** Makes a backup at the times of the schedule. `settings` rejects if the maker of the schedule has lost the right. */
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

/** Specification, "Backups, jobs, alerts": removes expired backups and the leftovers of killed processes. */
export function createCleanupJob(catalog: () => Catalog, archives: Archives): JobKind<Record<string, never>> {
  return defineJob({
    name: 'backup.cleanup',
    payload: Type.Object({}, strict),
    async run() {
      await catalog().reconcile()
      const removed = await catalog().removeExpired()
      await archives.removeLeftovers()
      return { removed }
    },
  })
}
