import { sql } from 'drizzle-orm'
import {
  type Database,
  DatabaseError,
  type Query,
  query,
  type Transaction,
  type UniqueWaits,
} from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { type ContentType, columnOf } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { isSame } from './changed-values.ts'
import type { EntryStore } from './entry-store.ts'

/*
 * An attribute that became unique while entries share a value has no index until an administrator resolves the duplicates. Until
 * then the service itself refuses further duplicates; existing ones stay.
 */

type Columns = Readonly<Record<string, unknown>>

interface UniqueDeps {
  readonly database: Database
  readonly uniqueWaits: UniqueWaits
}

/** A store that refuses values that other entries have, while the unique index that would do so is pending. */
export function keepingUnique(
  store: EntryStore,
  { type, stored }: EntryModel,
  { database, uniqueWaits }: UniqueDeps,
): EntryStore {
  const searches = new Map<string, Query<{ id: number }>>()
  const fieldOf = new Map(
    stored.flatMap((field) => ('column' in field ? [[field.column, field.name] as const] : [])),
  )

  function searchFor(columns: readonly string[]): Query<{ id: number }> {
    const key = columns.join()
    const search = searches.get(key) ?? othersWithSame(database, type, columns)
    searches.set(key, search)
    return search
  }

  /** @throws DatabaseError as the index would */
  async function assertAlone(columns: readonly string[], ids: readonly number[], tx: Transaction) {
    await uniqueWaits.takeTurn(tx)
    if ((await searchFor(columns).get({ ids }, tx)) === undefined) return
    const message = `rows of ${type.table} would have the same ${columns.join(', ')}`
    throw new DatabaseError('unique', message, { table: type.table, columns })
  }

  async function assertUnique(written: readonly WrittenRow[], tx: Transaction): Promise<void> {
    for (const columns of uniqueWaits.of(type.table)) {
      const isChanged = ({ before, values }: WrittenRow) =>
        columns.some(
          (column) => column in values && !isSame(values[column], before?.[fieldOf.get(column) ?? '']),
        )
      const ids = written.filter(isChanged).map(({ id }) => id)
      if (ids.length > 0) await assertAlone(columns, ids, tx)
    }
  }

  const inserted = (entry: Entry, values: Columns): WrittenRow => ({
    id: entry.id,
    before: undefined,
    values,
  })
  const updated = (before: Entry, values: Columns): WrittenRow => ({ id: before.id, before, values })
  return {
    ...store,
    async insert(payload, insertion) {
      const entry = await store.insert(payload, insertion)
      await assertUnique([inserted(entry, payload.columns)], insertion.tx)
      return entry
    },
    async insertMany(payloads, insertion) {
      const entries = await store.insertMany(payloads, insertion)
      const written = entries.map((entry, index) => inserted(entry, payloads[index]?.columns ?? {}))
      await assertUnique(written, insertion.tx)
      return entries
    },
    async update(before, change, tx) {
      const entry = await store.update(before, change, tx)
      await assertUnique([updated(before, change.columns)], tx)
      return entry
    },
    async updateAlike(before, change, tx) {
      const entries = await store.updateAlike(before, change, tx)
      await assertUnique(
        before.map((each) => updated(each, change.columns)),
        tx,
      )
      return entries
    },
  }
}

/** The values written to a row; `before` holds its earlier values by field, for an update. */
interface WrittenRow {
  readonly id: number
  readonly before: Entry | undefined
  readonly values: Columns
}

/** Null never equals null, as in an index. */
function othersWithSame(
  database: Database,
  { table }: ContentType,
  columns: readonly string[],
): Query<{ id: number }> {
  const [own, other] = [sql.identifier('own'), sql.identifier('other')]
  const same = columns.map(
    (column) => sql`${own}.${sql.identifier(column)} = ${other}.${sql.identifier(column)}`,
  )
  return query<{ id: number }>(
    database,
    (_, inList) => sql`select ${other}.id as ${sql.identifier('id')}
      from ${sql.identifier(table)} ${own} join ${sql.identifier(table)} ${other}
      on ${sql.join(same, sql` and `)} and ${other}.id <> ${own}.id
      where ${inList(sql`${own}.id`, 'ids', 'id')} limit 1`,
    { id: { column: 'id', kind: 'id' } },
  )
}

/**
 * Refuses a match by a field whose values are not unique yet.
 * @throws AppError 409 while several entries have the same value
 */
export function assertEnforced(
  uniqueWaits: UniqueWaits,
  { table, name, attributes, options }: ContentType,
  field: string,
): void {
  const attribute = attributes.get(field)
  const column = attribute && columnOf(attribute)?.name
  if (column === undefined) return
  const isWaiting =
    uniqueWaits.isWaiting(table, column) || (options.i18n.enabled && uniqueWaits.isWaiting(table, column, 2))
  if (!isWaiting) return
  const remedy = 'change them, and apply what waits in /database/preview with /database/safe-sync'
  throw new AppError('CONFLICT', `several entries of ${name} have the same ${field}: ${remedy}`)
}
