import type { Database } from '../database/database.ts'
import { AppError, type Principal } from '../http/http.ts'
import type { JobKind, Jobs } from '../jobs/jobs.ts'
import { type BackupRow, type BackupStore, pendingRow } from './backup-store.ts'
import type { BackupStatus, NewBackup, Sections } from './backups.ts'
import { type Archives, fileNameOf } from './files/archives.ts'
import { readSections } from './restore/inspect.ts'
import { type RestoreRow, type RestoreStore, requesterOf, restoreRunning } from './restore-store.ts'

/** Backups and restores run one after the other, over all processes. */
const mailbox = 'backups'

export const defaultRetentionDays = 30

export interface CatalogScope {
  readonly database: Database
  readonly jobs: Jobs
  readonly store: BackupStore
  readonly restores: RestoreStore
  readonly archives: Archives
  /** The sections that there are, as the plugins for them are on. */
  readonly available: Sections
  readonly createJob: JobKind<{ id: number }>
  readonly restoreJob: JobKind<{ id: number }>
}

/** Who asks for a restore, and of what. */
export interface RestoreRequest {
  readonly id: number
  readonly sections: Partial<Sections> | undefined
  readonly principal: Principal
  readonly ip: string
}

/** The backups there are, and the work on them. */
export interface Catalog {
  /** @throws AppError 404 */
  find(id: number): Promise<BackupRow>
  list(filter: { status?: BackupStatus | undefined; limit: number; offset: number }): Promise<BackupRow[]>
  count(status?: BackupStatus): Promise<number>
  /** The sections that a backup is to have. @throws AppError 400 */
  chosen(sections: Partial<Sections> | undefined): Sections
  /** Has a backup made by a job. @throws AppError 400, 409 while a restore is under way */
  request(backup: NewBackup & { madeByJob?: number }): Promise<BackupRow>
  /** Resolves with the backup when its job has ended, whichever way. */
  ended(backup: BackupRow, signal?: AbortSignal): Promise<BackupRow>
  /** Removes a backup with its file. @throws AppError 404, 409 while it is in use */
  remove(id: number): Promise<BackupRow>
  /** Has a backup restored by a job. @throws AppError 404, 409 */
  requestRestore(request: RestoreRequest): Promise<RestoreRow>
  /** Resolves with the restore when its job has ended, whichever way. */
  restoreEnded(restore: RestoreRow, signal?: AbortSignal): Promise<RestoreRow>
  /** Gives up what says that it is under way while its job has ended: one cancelled before it ran, say. */
  reconcile(): Promise<void>
  /** Removes what has expired; answers the ids. */
  removeExpired(): Promise<number[]>
}

export function createCatalog(scope: CatalogScope): Catalog {
  const { database, jobs, store, restores, archives, available } = scope

  async function find(id: number): Promise<BackupRow> {
    const backup = await store.find(id)
    if (backup === undefined) throw AppError.notFound(`backup ${id}`)
    return backup
  }

  async function hasEnded(jobId: number | null): Promise<boolean> {
    const job = jobId === null ? undefined : await jobs.find(jobId)
    return job === undefined || ['completed', 'failed', 'cancelled'].includes(job.status)
  }

  async function reconcile(): Promise<void> {
    for (const { id, jobId } of await store.unfinished()) {
      if (await hasEnded(jobId)) await store.fail(id, 'its job was cancelled, or has ended without it')
    }
    const restore = await restores.active()
    if (restore === undefined || !(await hasEnded(restore.jobId))) return
    await restores.fail(restore.id, { code: 'UNAVAILABLE', message: 'the job of the restore was cancelled' })
  }

  function chosen(sections: Partial<Sections> | undefined): Sections {
    const meant = sections === undefined ? available : readSections(sections, available)
    requireAvailable(meant, available)
    return meant
  }

  async function removeWithFile({ id, fileName }: BackupRow): Promise<void> {
    // In this order: a record without a file can be removed again, a file without a record is never found.
    if (fileName !== null) await archives.remove(fileName)
    await store.remove(id)
  }

  return {
    find,
    list: store.list,
    count: store.count,
    chosen,
    async request({ name, sections, retentionDays = defaultRetentionDays, madeByJob }) {
      const row = pendingRow({
        name: name ?? `Backup ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`,
        sections: chosen(sections),
        retentionDays,
        ...(madeByJob === undefined ? {} : { madeByJob }),
      })
      await reconcile()
      return database.transaction(async (tx) => {
        const made = madeByJob === undefined ? undefined : await store.madeBy(madeByJob, tx)
        if (made !== undefined) return made
        if ((await restores.active(tx)) !== undefined) throw restoreRunning()
        const backup = await store.insert(row, tx)
        const jobId = await jobs.enqueue(tx, scope.createJob, { id: backup.id }, { mailbox })
        await store.setJob(backup.id, jobId, tx)
        return { ...backup, jobId }
      })
    },
    async ended(backup, signal) {
      if (backup.jobId !== null) await jobs.finished(backup.jobId, signal)
      await reconcile()
      return find(backup.id)
    },
    async remove(id) {
      await reconcile()
      const backup = await find(id)
      if (['pending', 'running'].includes(backup.status)) {
        throw new AppError('CONFLICT', `backup ${id} is being made; cancel its job first`)
      }
      if ((await restores.active())?.backupId === id) throw restoreRunning()
      await removeWithFile(backup)
      return backup
    },
    async requestRestore({ id, sections, principal, ip }) {
      const backup = await find(id)
      fileNameOf(backup)
      const asked = askedSections(backup, sections)
      await reconcile()
      const restoreId = await database.transaction(async (tx) => {
        if ((await store.unfinished(tx)).length > 0) {
          throw new AppError('CONFLICT', 'a backup is being made; restore when it is completed')
        }
        const requestedBy = requesterOf(principal)
        const made = await restores.insert({ backupId: id, sections: asked, requestedBy, ip }, tx)
        const jobId = await jobs.enqueue(tx, scope.restoreJob, { id: made }, { mailbox })
        await restores.setJob(made, jobId, tx)
        return made
      })
      return expectRestore(await restores.find(restoreId))
    },
    async restoreEnded(restore, signal) {
      if (restore.jobId !== null) await jobs.finished(restore.jobId, signal)
      await reconcile()
      return expectRestore(await restores.find(restore.id))
    },
    reconcile,
    async removeExpired() {
      const inUse = (await restores.active())?.backupId
      const expired = (await store.expired(new Date().toISOString())).filter(({ id }) => id !== inUse)
      for (const backup of expired) await removeWithFile(backup)
      return expired.map(({ id }) => id)
    },
  }
}

/** The sections of a backup that a restore is asked for. @throws AppError 400 */
export function askedSections(backup: BackupRow, sections: Partial<Sections> | undefined): Sections {
  return sections === undefined ? backup.sections : readSections(sections, backup.sections)
}

function expectRestore(restore: RestoreRow | undefined): RestoreRow {
  if (restore === undefined) throw AppError.notFound('restore')
  return restore
}

function requireAvailable(sections: Sections, available: Sections): void {
  const missing = Object.entries(sections).filter(
    ([name, isChosen]) => isChosen && !available[name as keyof Sections],
  )
  if (missing.length === 0) return
  throw AppError.invalid(
    missing.map(([name]) => ({
      path: `sections.${name}`,
      code: 'missing',
      message: 'cannot be backed up while its plugin is off',
    })),
  )
}
