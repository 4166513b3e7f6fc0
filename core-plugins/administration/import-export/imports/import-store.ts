import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { ImportReport } from '../import-export.ts'
import { emptyReport } from './import-report.ts'
import { importsTable, type WaitingRow, waitingRecordsTable } from './tables.ts'

/** A stored import. */
export interface StoredImport {
  readonly id: number
  readonly step: number
  readonly report: ImportReport
  readonly isFinished: boolean
}

/** Another process continues the import. */
export class ImportTaken extends AppError {
  constructor() {
    super('CONFLICT', 'this import was continued or forgotten somewhere else')
  }
}

export type NewWaiting = Pick<WaitingRow, 'type' | 'line' | 'data'>

/** Stores the progress of imports and their waiting records. */
export interface ImportStore {
  /** Returns the import with this name, or a new one. */
  open(name: string | undefined): Promise<StoredImport>
  find(name: string): Promise<StoredImport | undefined>
  /** @throws ImportTaken */
  advance(before: StoredImport, report: ImportReport, tx: Transaction): Promise<void>
  finish({ id }: StoredImport, name: string | undefined): Promise<void>
  forget(name: string): Promise<void>
  /** Deletes imports that have not continued for a month. */
  forgetOld(): Promise<void>
  readonly waiting: WaitingStore
}

export interface WaitingStore {
  add(importId: number, rows: readonly NewWaiting[], tx: Transaction): Promise<void>
  /** The waiting records after this id, in the order of ids. */
  after(importId: number, id: number, limit: number): Promise<readonly WaitingRow[]>
  count(importId: number): Promise<number>
  remove(ids: readonly number[], tx: Transaction): Promise<void>
  /** Records the entry that was stored for a record. */
  setEntry(id: number, entryId: number, tx: Transaction): Promise<void>
}

const keptMs = 30 * 24 * 60 * 60 * 1_000

export function createImportStore(database: Database): ImportStore {
  const rows = importsTable.on(database)
  const insertion = rows.insert()
  const byName = rows.find(['name'])
  const advancing = rows.update(
    ['report', 'step', 'updatedAt'],
    (value) => sql`id = ${value('id', 'id')} and step = ${value('before', 'integer')}`,
  )
  const finishing = rows.update(['finishedAt', 'updatedAt'], ['id'])
  const removal = rows.delete(['id'])
  const removalByName = rows.delete(['name'])
  const removalOld = rows.delete((value) => sql`updated_at < ${value('until', 'datetime')}`)

  async function find(name: string): Promise<StoredImport | undefined> {
    const row = await byName.get({ name })
    return row && { id: row.id, step: row.step, report: row.report, isFinished: row.finishedAt !== null }
  }

  return {
    find,
    async open(name) {
      const known = name === undefined ? undefined : await find(name)
      if (known !== undefined) return known
      const now = new Date().toISOString()
      const row = {
        name: name ?? null,
        step: 0,
        report: emptyReport,
        createdAt: now,
        updatedAt: now,
        finishedAt: null,
      }
      const { insertId } = await insertion.run(row)
      return { id: insertId, step: 0, report: emptyReport, isFinished: false }
    },
    async advance({ id, step }, report, tx) {
      const updatedAt = new Date().toISOString()
      const { changes } = await advancing.run({ id, before: step, step: step + 1, report, updatedAt }, tx)
      if (changes === 0) throw new ImportTaken()
    },
    async finish({ id }, name) {
      const now = new Date().toISOString()
      if (name === undefined) await removal.run({ id })
      else await finishing.run({ id, finishedAt: now, updatedAt: now })
    },
    async forget(name) {
      await removalByName.run({ name })
    },
    async forgetOld() {
      await removalOld.run({ until: new Date(Date.now() - keptMs).toISOString() })
    },
    waiting: createWaitingStore(database),
  }
}

function createWaitingStore(database: Database): WaitingStore {
  const rows = waitingRecordsTable.on(database)
  const { id, importId } = waitingRecordsTable.columns
  const insertion = rows.insertMany()
  const next = rows.list(
    (value) => sql`${importId} = ${value(importId)} and ${id} > ${value('after', 'id')}`,
    { orderBy: sql`${id}` },
  )
  const counting = rows.count(['importId'])
  const removal = rows.delete((_, inList) => inList(id, 'ids'))
  const change = rows.update(['entryId'], ['id'])
  return {
    add: (of, added, tx) =>
      insertion(
        added.map((row) => ({ ...row, importId: of, entryId: null })),
        tx,
      ),
    after: (of, after, limit) => next.all({ importId: of, after, limit, offset: 0 }),
    count: async (of) => (await counting.get({ importId: of }))?.total ?? 0,
    async remove(ids, tx) {
      if (ids.length > 0) await removal.run({ ids }, tx)
    },
    async setEntry(row, entryId, tx) {
      await change.run({ id: row, entryId }, tx)
    },
  }
}
