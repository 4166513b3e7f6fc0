import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  type Queries,
  query,
  selectList,
  setList,
} from '../database/database.ts'
import type { Backup, BackupCounts, BackupStatus, Sections } from './backups.ts'

/** A row of `svc_backups`. */
export interface BackupRow extends Backup {
  /** Below the folder of backups; null until it is known. The file is there when the backup is completed, and may be before. */
  readonly fileName: string | null
  readonly jobId: number | null
  readonly madeByJob: number | null
}

export type NewBackupRow = Omit<BackupRow, 'id'>

/** What is known when the file of a backup is complete. */
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
  /** Pending and running ones. */
  unfinished(on?: Queries): Promise<BackupRow[]>
  expired(now: string): Promise<BackupRow[]>
  isAnyRunning(): Promise<boolean>
  setJob(id: number, jobId: number, on: Queries): Promise<void>
  /** Somebody makes the file of that name. */
  start(id: number, fileName: string): Promise<void>
  /** False where somebody else has started on it since, or it is gone. */
  complete(id: number, archive: CompletedArchive): Promise<boolean>
  fail(id: number, error: string): Promise<void>
  remove(id: number): Promise<void>
}

const columns = {
  id: { column: 'id', kind: 'id' },
  name: { column: 'name', kind: 'string' },
  status: { column: 'status', kind: 'string' },
  sections: { column: 'sections', kind: 'json' },
  size: { column: 'size', kind: 'integer' },
  checksum: { column: 'checksum', kind: 'string' },
  counts: { column: 'counts', kind: 'json' },
  retentionDays: { column: 'retention_days', kind: 'decimal' },
  expiresAt: { column: 'expires_at', kind: 'datetime' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  completedAt: { column: 'completed_at', kind: 'datetime' },
  error: { column: 'error', kind: 'text' },
  fileName: { column: 'file_name', kind: 'string' },
  jobId: { column: 'job_id', kind: 'integer' },
  madeByJob: { column: 'made_by_job', kind: 'integer' },
} as const satisfies Columns

const countColumns = { count: { column: 'count', kind: 'integer' } } as const satisfies Columns

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
    madeBy: (jobId, on) => queries.madeBy.get({ jobId }, on),
    list: ({ status, ...range }) =>
      status === undefined ? queries.list.all(range) : queries.listOfStatus.all({ ...range, status }),
    async count(status) {
      const found = status === undefined ? queries.count.get() : queries.countOfStatus.get({ status })
      return (await found)?.count ?? 0
    },
    unfinished: (on) => queries.unfinished.all({ statuses: ['pending', 'running'] }, on),
    expired: (now) => queries.expired.all({ now, statuses: ['completed', 'failed'] }),
    isAnyRunning: async () => ((await queries.countOfStatus.get({ status: 'running' }))?.count ?? 0) > 0,
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

/** Without what is the service's own business. */
export function presentBackup(row: BackupRow) {
  const { id, name, status, sections, size, checksum, counts, retentionDays, error } = row
  return {
    ...{ id, name, status, sections, size, checksum, counts, retentionDays },
    expires_at: row.expiresAt,
    created_at: row.createdAt,
    completed_at: row.completedAt,
    error,
  }
}

const dayMs = 24 * 60 * 60_000

/** When a backup of that moment is no longer kept. */
export function expiryOf(createdAt: string, retentionDays: number): string {
  return new Date(Date.parse(createdAt) + retentionDays * dayMs).toISOString()
}

/** The row of a backup that has not begun. */
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
  const table = sql`svc_backups`
  const select = sql`select ${selectList(database, columns)} from ${table}`
  const count = sql`select count(*) as "count" from ${table}`
  return {
    insert: query(database, (value) => insertInto('svc_backups', columns, value)),
    update: query(
      database,
      (value) => sql`update ${table} set ${setList(columns, value)} where id = ${value('id', 'id')}`,
    ),
    find: query<BackupRow>(database, (value) => sql`${select} where id = ${value('id', 'id')}`, columns),
    lock: query<BackupRow>(
      database,
      (value) => sql`${select} where id = ${value('id', 'id')} ${database.dialect.forUpdate}`,
      columns,
    ),
    madeBy: query<BackupRow>(
      database,
      (value) => sql`${select} where made_by_job = ${value('jobId', 'integer')}`,
      columns,
    ),
    list: query<BackupRow>(
      database,
      (value) => sql`${select} order by id desc
        limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      columns,
    ),
    listOfStatus: query<BackupRow>(
      database,
      (value) => sql`${select} where status = ${value('status', 'string')} order by id desc
        limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      columns,
    ),
    count: query<{ count: number }>(database, () => count, countColumns),
    countOfStatus: query<{ count: number }>(
      database,
      (value) => sql`${count} where status = ${value('status', 'string')}`,
      countColumns,
    ),
    unfinished: query<BackupRow>(
      database,
      (_, inList) => sql`${select} where ${inList(sql`status`, 'statuses', 'string')} order by id`,
      columns,
    ),
    expired: query<BackupRow>(
      database,
      (value, inList) => sql`${select} where expires_at <= ${value('now', 'datetime')}
        and ${inList(sql`status`, 'statuses', 'string')} order by id limit 1000`,
      columns,
    ),
    setJob: query(
      database,
      (value) =>
        sql`update ${table} set job_id = ${value('jobId', 'integer')} where id = ${value('id', 'id')}`,
    ),
    remove: query(database, (value) => sql`delete from ${table} where id = ${value('id', 'id')}`),
  }
}
