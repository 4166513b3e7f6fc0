import { sql } from 'drizzle-orm'
import type { PendingDraft, StoredEntries } from '../../entries/content/content.ts'
import { type Database, query, type Transaction } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { type BatchEntryRow, type BatchRow, batchEntriesTable, batchesTable } from './tables.ts'

/** The versions of an entry and of its pending draft. */
export type Versions = Pick<BatchEntryRow, 'version' | 'draftVersion'>

/** The rows of batches. */
export interface BatchStore {
  /** Adds a batch. Also deletes the oldest batches of an actor with many. */
  add(batch: BatchRow, entries: readonly Omit<BatchEntryRow, 'batch'>[], tx: Transaction): Promise<void>
  find(batch: string): Promise<BatchRow | undefined>
  entries(batch: string): Promise<BatchEntryRow[]>
  /** Removes an entry from a batch; returns false if it was already removed. */
  takeOut(batch: string, entryId: number, tx: Transaction): Promise<boolean>
  /** Records the new version of an entry that undoing another entry of the batch has changed. */
  moveOn(batch: string, entryId: number, version: string, tx: Transaction): Promise<void>
  /** Deletes batches that can no longer be undone; a few at a time, to keep transactions short. */
  forgetExpired(signal: AbortSignal): Promise<void>
  /** The versions of the entries that exist, including those in the trash. */
  versions(type: ContentType, ids: readonly number[], tx: Transaction): Promise<ReadonlyMap<number, Versions>>
}

const maxBatchesOfOne = 20
const batchesAtOnce = 20

export function createBatchStore(database: Database, storedEntries: StoredEntries): BatchStore {
  const batches = batchQueries(database)
  const entries = entryQueries(database)
  const versionsOf = new Map<ContentType, ReturnType<typeof versionQuery>>()

  function queryOf(type: ContentType) {
    const made = versionsOf.get(type) ?? versionQuery(type, database)
    versionsOf.set(type, made)
    return made
  }

  async function forget(named: readonly string[], tx: Transaction): Promise<void> {
    if (named.length === 0) return
    await entries.forget.run({ batches: named }, tx)
    await batches.forget.run({ batches: named }, tx)
  }

  return {
    async forgetExpired(signal) {
      const now = new Date().toISOString()
      for (;;) {
        signal.throwIfAborted()
        const expired = await batches.expired.all({ now })
        if (expired.length === 0) return
        await database.transaction((tx) =>
          forget(
            expired.map((each) => each.batch),
            tx,
          ),
        )
      }
    },
    async add(batch, rows, tx) {
      const older = await batches.older.all(
        { actor: batch.actor, limit: 1_000, offset: maxBatchesOfOne - 1 },
        tx,
      )
      await forget(
        older.map((each) => each.batch),
        tx,
      )
      await batches.insert.run(batch, tx)
      await entries.insert(
        rows.map((row) => ({ ...row, batch: batch.batch })),
        tx,
      )
    },
    find: (batch) => batches.find.get({ batch }),
    entries: (batch) => entries.find.all({ batch }),
    takeOut: async (batch, entryId, tx) => (await entries.takeOut.run({ batch, entryId }, tx)).changes > 0,
    moveOn: async (batch, entryId, version, tx) =>
      void (await entries.moveOn.run({ batch, entryId, version }, tx)),
    async versions(type, ids, tx) {
      const rows = await queryOf(type).all({ ids }, tx)
      const drafts = await storedEntries.drafts(type.name, ids, tx)
      return new Map(rows.map(({ id, version }) => [id, { version, ...draftVersion(drafts.get(id)) }]))
    },
  }
}

function draftVersion(draft: PendingDraft | undefined): Pick<Versions, 'draftVersion'> {
  return { draftVersion: draft?.updatedAt ?? null }
}

function batchQueries(database: Database) {
  const batches = batchesTable.on(database)
  const { batch, createdAt, expiresAt } = batchesTable.columns
  return {
    insert: batches.insert(),
    find: batches.find(['batch']),
    older: batches.list(['actor'], { pick: ['batch'], orderBy: sql`${createdAt} desc, ${batch}` }),
    expired: batches.find((value) => sql`${expiresAt} < ${value(expiresAt, 'now')}`, {
      pick: ['batch'],
      limit: batchesAtOnce,
    }),
    forget: batches.delete((_, inList) => inList(batch, 'batches')),
  }
}

function entryQueries(database: Database) {
  const entries = batchEntriesTable.on(database)
  const { batch, entryId } = batchEntriesTable.columns
  return {
    insert: entries.insertMany(),
    find: entries.find(['batch'], { orderBy: sql`${entryId}` }),
    takeOut: entries.delete(['batch', 'entryId']),
    moveOn: entries.update(['version'], ['batch', 'entryId']),
    forget: entries.delete((_, inList) => inList(batch, 'batches')),
  }
}

function versionQuery({ table }: ContentType, database: Database) {
  const version = sql.identifier('updated_at')
  return query<{ id: number; version: string }>(
    database,
    (_, inList) => sql`select id, ${version} as ${sql.identifier('version')} from ${sql.identifier(table)}
      where ${inList(sql`id`, 'ids', 'id')}`,
    { id: { column: 'id', kind: 'id' }, version: { column: 'version', kind: 'datetime' } },
  )
}
