import type { JobKind, Jobs } from '../../background/jobs/jobs.ts'
import type { Database } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { Sections } from '../../foundation/sections/sections.ts'
import { type BackupStore, pendingRow } from './backup-store.ts'
import type { BackupStatus, NewBackup } from './backups.ts'
import { type Archives, fileNameOf } from './files/archives.ts'
import { requesterOf } from './requester.ts'
import { readSections } from './restore/inspect.ts'
import { type RestoreStore, restoreRunning } from './restore-store.ts'
import type { BackupRow, RestoreRow } from './tables.ts'

/** Backups and restores run one after the other, across all processes. */
const mailbox = 'backups'

export const defaultRetentionDays = 30

export interface CatalogDeps {
  readonly database: Database
  readonly jobs: Jobs
  readonly store: BackupStore
  readonly restores: RestoreStore
  readonly archives: Archives
  /** The available sections, which depend on the active plugins. */
  readonly available: Sections
  readonly createJob: JobKind<{ id: number }>
  readonly restoreJob: JobKind<{ id: number }>
}

/**
 * A backup to be made; `madeByJob` is the id of the requesting job, which gets the same backup if it asks
 * again.
 */
export interface BackupRequest extends NewBackup {
  readonly madeByJob?: number
}

/** Who requests a restore, and of what. */
export interface RestoreRequest {
  readonly id: number
  readonly sections: Partial<Sections> | undefined
  readonly principal: Principal
  readonly ip: string
}

/** All backups, and the operations on them. */
export interface Catalog {
  /** @throws AppError 404 */
  find(id: number): Promise<BackupRow>
  list(filter: { status?: BackupStatus | undefined; limit: number; offset: number }): Promise<BackupRow[]>
  count(status?: BackupStatus): Promise<number>
  /** The sections that a backup will contain. @throws AppError 400 */
  chosen(sections: Partial<Sections> | undefined): Sections
  /** Enqueues a backup. @throws AppError 400, 409 while a restore is under way */
  request(backup: BackupRequest): Promise<BackupRow>
  /** Resolves with the backup when its job has ended, successfully or not. */
  ended(backup: BackupRow, signal?: AbortSignal): Promise<BackupRow>
  /** Removes a backup and its file. @throws AppError 404, 409 while it is in use */
  remove(id: number): Promise<BackupRow>
  /** Enqueues a restore. @throws AppError 404, 409 */
  requestRestore(request: RestoreRequest): Promise<RestoreRow>
  /** Resolves with the restore when its job has ended, successfully or not. */
  restoreEnded(restore: RestoreRow, signal?: AbortSignal): Promise<RestoreRow>
  /** The newest restore of a backup, ended or under way. */
  lastRestore(backupId: number): Promise<RestoreRow | undefined>
  /**
   * Fails backups and restores that are marked as under way but whose job has ended, e.g. by being cancelled
   * before it ran.
   */
  reconcile(): Promise<void>
  /** Removes expired backups; returns their ids. */
  removeExpired(): Promise<number[]>
}

class BackupCatalog implements Catalog {
  readonly #deps: CatalogDeps

  constructor(deps: CatalogDeps) {
    this.#deps = deps
  }

  async find(id: number) {
    const backup = await this.#deps.store.find(id)
    if (backup === undefined) throw AppError.notFound(`backup ${id}`)
    return backup
  }

  list(filter: Parameters<Catalog['list']>[0]) {
    return this.#deps.store.list(filter)
  }

  count(status?: BackupStatus) {
    return this.#deps.store.count(status)
  }

  chosen(sections: Partial<Sections> | undefined) {
    const { available } = this.#deps
    const meant = sections === undefined ? available : readSections(sections, available)
    assertAvailable(meant, available)
    return meant
  }

  async request({ name, sections, retentionDays = defaultRetentionDays, madeByJob }: BackupRequest) {
    const { database, jobs, store, restores, createJob } = this.#deps
    const row = pendingRow({
      name: name ?? `Backup ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`,
      sections: this.chosen(sections),
      retentionDays,
      ...(madeByJob === undefined ? {} : { madeByJob }),
    })
    await this.reconcile()
    return database.transaction(async (tx) => {
      const made = madeByJob === undefined ? undefined : await store.madeBy(madeByJob, tx)
      if (made !== undefined) return made
      if ((await restores.active(tx)) !== undefined) throw restoreRunning()
      const backup = await store.insert(row, tx)
      const jobId = await jobs.enqueue(tx, createJob, { id: backup.id }, { mailbox })
      await store.setJob(backup.id, jobId, tx)
      return { ...backup, jobId }
    })
  }

  async ended(backup: BackupRow, signal?: AbortSignal) {
    if (backup.jobId !== null) await this.#deps.jobs.finished(backup.jobId, signal)
    await this.reconcile()
    return this.find(backup.id)
  }

  async remove(id: number) {
    await this.reconcile()
    const backup = await this.find(id)
    if (['pending', 'running'].includes(backup.status)) {
      throw new AppError('CONFLICT', `backup ${id} is being made; cancel its job first`)
    }
    if ((await this.#deps.restores.active())?.backupId === id) throw restoreRunning()
    await this.#removeWithFile(backup)
    return backup
  }

  async requestRestore({ id, sections, principal, ip }: RestoreRequest) {
    const { database, jobs, store, restores, restoreJob } = this.#deps
    const backup = await this.find(id)
    fileNameOf(backup)
    const asked = askedSections(backup, sections)
    await this.reconcile()
    const restoreId = await database.transaction(async (tx) => {
      if ((await store.unfinished(tx)).length > 0) {
        throw new AppError('CONFLICT', 'a backup is being made; restore when it is completed')
      }
      const requestedBy = requesterOf(principal)
      const made = await restores.insert({ backupId: id, sections: asked, requestedBy, ip }, tx)
      const jobId = await jobs.enqueue(tx, restoreJob, { id: made }, { mailbox })
      await restores.setJob(made, jobId, tx)
      return made
    })
    return assertRestore(await restores.find(restoreId))
  }

  async restoreEnded(restore: RestoreRow, signal?: AbortSignal) {
    const { jobs, restores } = this.#deps
    if (restore.jobId !== null) await jobs.finished(restore.jobId, signal)
    await this.reconcile()
    return assertRestore(await restores.find(restore.id))
  }

  async lastRestore(backupId: number) {
    await this.reconcile()
    return this.#deps.restores.lastOf(backupId)
  }

  async reconcile() {
    const { store, restores } = this.#deps
    for (const { id, jobId } of await store.unfinished()) {
      if (await this.#hasEnded(jobId)) {
        await store.fail(id, 'its job was cancelled, or has ended without it')
      }
    }
    const restore = await restores.active()
    if (restore === undefined || !(await this.#hasEnded(restore.jobId))) return
    await restores.fail(restore.id, { code: 'UNAVAILABLE', message: 'the job of the restore was cancelled' })
  }

  async removeExpired() {
    const { store, restores } = this.#deps
    const inUse = (await restores.active())?.backupId
    const expired = (await store.expired(new Date().toISOString())).filter(({ id }) => id !== inUse)
    for (const backup of expired) await this.#removeWithFile(backup)
    return expired.map(({ id }) => id)
  }

  async #hasEnded(jobId: number | null): Promise<boolean> {
    const job = jobId === null ? undefined : await this.#deps.jobs.find(jobId)
    return job === undefined || ['completed', 'failed', 'cancelled'].includes(job.status)
  }

  async #removeWithFile({ id, fileName }: BackupRow): Promise<void> {
    // In this order: a record without a file can be removed again, a file without a record is never found.
    if (fileName !== null) await this.#deps.archives.remove(fileName)
    await this.#deps.store.remove(id)
  }
}

/** Creates the catalog over the tables of backups and restores. */
export function createCatalog(deps: CatalogDeps): Catalog {
  return new BackupCatalog(deps)
}

/** The sections of a backup that a restore should include. @throws AppError 400 */
export function askedSections(backup: BackupRow, sections: Partial<Sections> | undefined): Sections {
  return sections === undefined ? backup.sections : readSections(sections, backup.sections)
}

function assertRestore(restore: RestoreRow | undefined): RestoreRow {
  if (restore === undefined) throw AppError.notFound('restore')
  return restore
}

function assertAvailable(sections: Sections, available: Sections): void {
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
