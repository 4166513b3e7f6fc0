import { sql } from 'drizzle-orm'
import { column, type Database, defineTable, type Transaction } from '../../foundation/database/database.ts'

/**
 * The values of a source's localised fields from when a translation was last up to date: one row per outdated translation and
 * changed field.
 */
export const sourceChangesTable = defineTable(
  'svc_translation_changes',
  {
    type: column.string(64),
    entryId: column.integer(),
    field: column.string(64),
    sourceId: column.integer(),
    /** JSON; null: too long to keep. */
    before: column.text().nullable().named('before_value'),
  },
  {
    section: 'content',
    primaryKey: ['type', 'entryId', 'field'],
    indexes: [{ columns: ['type', 'sourceId'], type: 'index' }],
  },
)

/** The source's values that a translation was made from, as far as they have changed since. */
export interface SourceBefore {
  readonly sourceId: number
  /** By field; undefined: too long to keep. */
  readonly values: ReadonlyMap<string, unknown>
}

/** A change of a source, and the translations that it makes outdated. */
export interface SourceChange {
  readonly sourceId: number
  readonly translationIds: readonly number[]
  /** The earlier values of the changed fields, by name. */
  readonly before: Readonly<Record<string, unknown>>
}

export interface SourceChanges {
  /** Records changes, keeping only the first for each field. The callers hold the locks on the groups' versions. */
  record(type: string, changes: readonly SourceChange[], tx: Transaction): Promise<void>
  /** Undefined for a translation that is up to date, or that was set to `outdated` manually. */
  of(type: string, translationId: number): Promise<SourceBefore | undefined>
  /** Deletes the changes of translations that are up to date again. */
  settle(type: string, translationIds: readonly number[], tx: Transaction): Promise<void>
  /** Deletes the changes of entries that are no longer sources because another version is. */
  end(type: string, sourceIds: readonly number[], tx: Transaction): Promise<void>
}

/** Longer values are not kept, since there may be a row for each of many locales. */
const maxLength = 100_000

export function createSourceChanges(database: Database): SourceChanges {
  const rows = sourceChangesTable.on(database)
  const { type: typeColumn, entryId, sourceId: sourceColumn } = sourceChangesTable.columns
  const known = rows.find(
    (value, inList) => sql`${typeColumn} = ${value(typeColumn)} and ${inList(entryId, 'ids')}`,
    { pick: ['entryId', 'field'] },
  )
  const insert = rows.insertMany()
  const find = rows.find(['type', 'entryId'], { pick: ['field', 'sourceId', 'before'] })
  const settle = rows.delete(
    (value, inList) => sql`${typeColumn} = ${value(typeColumn)} and ${inList(entryId, 'ids')}`,
  )
  const ended = rows.delete(
    (value, inList) => sql`${typeColumn} = ${value(typeColumn)} and ${inList(sourceColumn, 'ids')}`,
  )

  return {
    async record(type, changes, tx) {
      const rows = changes.flatMap((change) => rowsOf(type, change)).toReversed()
      // Keeps the first of several changes of a field.
      const wanted = new Map(rows.map((row) => [keyOf(row), row]))
      if (wanted.size === 0) return
      const ids = [...new Set([...wanted.values()].map((row) => row.entryId))]
      for (const row of await known.all({ type, ids }, tx)) wanted.delete(keyOf(row))
      await insert([...wanted.values()], tx)
    },
    async of(type, translationId) {
      const found = await find.all({ type, entryId: translationId })
      const [first] = found
      if (first === undefined) return undefined
      const values = found.map(({ field, before }) => [field, parsed(before)] as const)
      return { sourceId: first.sourceId, values: new Map(values) }
    },
    async settle(type, ids, tx) {
      if (ids.length > 0) await settle.run({ type, ids }, tx)
    },
    async end(type, ids, tx) {
      await ended.run({ type, ids }, tx)
    },
  }
}

const keyOf = (row: { readonly entryId: number; readonly field: string }) => `${row.entryId} ${row.field}`

const parsed = (before: string | null) => (before === null ? undefined : JSON.parse(before))

function rowsOf(type: string, { sourceId, translationIds, before }: SourceChange) {
  const fields = Object.entries(before).map(([field, value]) => ({ field, before: kept(value) }))
  return translationIds.flatMap((entryId) => fields.map((each) => ({ type, entryId, sourceId, ...each })))
}

function kept(value: unknown): string | null {
  const text = JSON.stringify(value ?? null)
  return text.length > maxLength ? null : text
}
