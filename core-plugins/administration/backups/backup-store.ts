import { sql } from 'drizzle-orm'
import type { Database, NewRowOf, Queries } from '../../foundation/database/database.ts'
import type { Sections } from '../../foundation/sections/sections.ts'
import type { BackupCounts, BackupStatus } from './backup.ts'
import { type BackupRow, backupsTable } from './tables.ts'

export type NewBackupRow = Required<NewRowOf<typeof backupsTable>>

/** Known once the file of a backup is complete. */
export interface CompletedArchive {
  readonly size: number
  readonly checksum: string
  readonly counts: BackupCounts
  readonly fileName: string
}

/** The catalog. */
export interface BackupStore {
  insert(row: NewBackupRow, on?: Queries): Promise<BackupRow>
  find(id: number, on?: Queries): Promise<BackupRow | undefined>
  madeBy(jobId: number, on: Queries): Promise<BackupRow | undefined>
  /** Newest first. */
  list(filter: { status?: BackupStatus | undefined; limit: number; offset: number }): Promise<BackupRow[]>
  count(status?: BackupStatus): Promise<number>
  /** Pending and running backups. */
  unfinished(on?: Queries): Promise<BackupRow[]>
  expired(now: string): Promise<BackupRow[]>
  isAnyRunning(): Promise<boolean>
  setJob(id: number, jobId: number, on: Queries): Promise<void>
  /** Marks it as running, with the name of the file being made. */
  start(id: number, fileName: string): Promise<void>
  /** False if another process has started it since, or it was deleted. */
  complete(id: number, archive: CompletedArchive): Promise<boolean>
  fail(id: number, error: string): Promise<void>
  remove(id: number): Promise<void>
}

export function createBackupStore(database: Database): BackupStore {
  const queries = backupQueries(database)

  function change(
    id: number,
    changes: Partial<NewBackupRow>,
    isMeant: (row: BackupRow) => boolean = () => true,
  ): Promise<boolean> {
    return database.transaction(async (tx) => {
      const row = await queries.lock.get({ id }, tx)
      if (row === undefined || !isMeant(row)) return false
      await queries.update.run({ ...row, ...changes }, tx)
      return true
    })
  }

  return {
    async insert(row, on) {
      const { insertId } = await queries.insert.run({ ...row }, on)
      return { ...row, id: insertId }
    },
    find: (id, on) => queries.find.get({ id }, on),
    madeBy: (jobId, on) => queries.madeBy.get({ madeByJob: jobId }, on),
    list: ({ status, ...range }) =>
      status === undefined ? queries.list.all(range) : queries.listOfStatus.all({ ...range, status }),
    async count(status) {
      const found = status === undefined ? queries.count.get() : queries.countOfStatus.get({ status })
      return (await found)?.total ?? 0
    },
    unfinished: (on) => queries.unfinished.all({ statuses: ['pending', 'running'] }, on),
    expired: (now) => queries.expired.all({ now, statuses: ['completed', 'failed'] }),
    isAnyRunning: async () => ((await queries.countOfStatus.get({ status: 'running' }))?.total ?? 0) > 0,
    async setJob(id, jobId, on) {
      await queries.setJob.run({ id, jobId }, on)
    },
    async start(id, fileName) {
      await change(id, { status: 'running', error: null, fileName })
    },
    complete: (id, archive) =>
      change(
        id,
        { ...archive, status: 'completed', error: null, completedAt: new Date().toISOString() },
        ({ fileName }) => fileName === archive.fileName,
      ),
    async fail(id, error) {
      await change(id, { status: 'failed', error, completedAt: null })
    },
    async remove(id) {
      await queries.remove.run({ id })
    },
  }
}

const dayMs = 24 * 60 * 60_000

/** When a backup made at that time expires. */
export function expiryOf(createdAt: string, retentionDays: number): string {
  return new Date(Date.parse(createdAt) + retentionDays * dayMs).toISOString()
}

/** The row of a backup that has not started. */
export function pendingRow(backup: {
  name: string
  sections: Sections
  retentionDays: number
  madeByJob?: number
}): NewBackupRow {
  const createdAt = new Date().toISOString()
  const { name, sections, retentionDays, madeByJob = null } = backup
  return {
    ...{ name, sections, retentionDays, createdAt, madeByJob },
    status: 'pending',
    expiresAt: expiryOf(createdAt, retentionDays),
    counts: {},
    size: null,
    checksum: null,
    completedAt: null,
    error: null,
    fileName: null,
    jobId: null,
  }
}

function backupQueries(database: Database) {
  const backups = backupsTable.on(database)
  const { id, status, expiresAt } = backupsTable.columns
  const newestFirst = { orderBy: sql`${id} desc` }
  return {
    insert: backups.insert(),
    update: backups.update(backupsTable.except('id'), ['id']),
    find: backups.find(['id']),
    lock: backups.find(['id'], { lock: true }),
    madeBy: backups.find(['madeByJob']),
    list: backups.list([], newestFirst),
    listOfStatus: backups.list(['status'], newestFirst),
    count: backups.count([]),
    countOfStatus: backups.count(['status']),
    unfinished: backups.find((_, inList) => inList(status, 'statuses'), { orderBy: sql`${id}` }),
    expired: backups.find(
      (value, inList) => sql`${expiresAt} <= ${value(expiresAt, 'now')} and ${inList(status, 'statuses')}`,
      { orderBy: sql`${id}`, limit: 1000 },
    ),
    setJob: backups.update(['jobId'], ['id']),
    remove: backups.delete(['id']),
  }
}
