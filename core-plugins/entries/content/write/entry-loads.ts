import { type SQL, sql } from 'drizzle-orm'
import {
  type Queries,
  type Query,
  query,
  type Row,
  type Statement,
  type Transaction,
  type Values,
} from '../../../foundation/database/database.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { sqlContext, tableAs } from '../query/sql-context.ts'
import { allVisible, columnOf, visibleWhere } from '../query/visibility.ts'
import { entrySelect, type ToEntry } from '../read/entry-select.ts'
import type { ReadDeps } from '../read/read-deps.ts'

/** Reads the rows of one type for writes: all fields, including timestamps, and all referenced ids. */
export interface EntryLoads {
  /** Locks the entry until the end of the transaction. Undefined if it does not exist or is soft-deleted. */
  load(id: number, tx: Transaction): Promise<Entry | undefined>
  /** Locks many entries in one query, in order of their ids. */
  loadMany(ids: readonly number[], tx: Transaction): Promise<Entry[]>
  /** The same without locks. */
  readMany(ids: readonly number[], on: Queries): Promise<Entry[]>
  /** Like `load`, but finds soft-deleted entries only. */
  loadDeleted(id: number, tx: Transaction): Promise<Entry | undefined>
  /** The entry of a single type, without a lock. */
  loadSingle(tx: Queries): Promise<Entry | undefined>
}

const alias = 't0'

export function createEntryLoads(model: EntryModel, deps: ReadDeps): EntryLoads {
  const { dialect } = deps.database
  const { type } = model
  const select = selectStored(model, deps)
  const byId = sql`${columnOf(alias, 'id')} = ${dialect.placeholder('id', 'id')}`
  const present = visibleWhere(type, alias, allVisible, dialect) ?? sql`1 = 1`
  const isDeleted = type.options.softDelete ? sql`${columnOf(alias, 'deleted_at')} is not null` : sql`1 = 0`
  const one = prepareOne(select, sql`${byId} and ${present}`, deps)
  const deleted = prepareOne(select, sql`${byId} and ${isDeleted}`, deps)
  const many = prepareMany(select, present, deps)
  const single = prepareOne(
    { ...select, lock: sql``, locksFirst: false },
    sql`${present} ${order} limit 1`,
    deps,
  )
  return {
    load: (id, tx) => loadOne(one, { id }, tx),
    loadDeleted: (id, tx) => loadOne(deleted, { id }, tx),
    loadSingle: (tx) => loadOne(single, {}, tx),
    async loadMany(ids, tx) {
      const locked = many.locking?.all({ ids }, tx)
      const [found] = await Promise.all([many.rows.all({ ids }, tx), locked])
      return found.map(many.toEntry)
    },
    readMany: async (ids, on) => (await many.unlocked.all({ ids }, on)).map(many.toEntry),
  }
}

const order = sql`order by ${columnOf(alias, 'id')}`

/** The SQL parts that select and lock the rows of a type. */
interface StoredSelect {
  readonly from: SQL
  readonly fromIds: SQL
  readonly kinds: ReturnType<typeof entrySelect>['kinds']
  readonly toEntry: ToEntry
  readonly lock: SQL
  /**
   * Whether to lock in a separate statement first: a single statement would read link ids as of before it waited for the lock.
   */
  readonly locksFirst: boolean
}

function selectStored(model: EntryModel, deps: ReadDeps): StoredSelect {
  const { dialect } = deps.database
  const { columns, kinds, toEntry } = entrySelect(
    model,
    alias,
    sqlContext({ ...deps, dialect, visibility: allVisible }),
    { fields: new Set(model.stored.map(({ name }) => name)), isAsStored: true },
  )
  const table = sql`${tableAs(model, alias)} ${dialect.byPrimaryKey}`
  return {
    ...{ kinds, toEntry },
    from: sql`select ${columns} from ${table}`,
    fromIds: sql`select ${columnOf(alias, 'id')} from ${table}`,
    lock: lockOf(model, deps),
    locksFirst: !dialect.readsAfterLocks && model.links.size > 0,
  }
}

/** Media and users get the stronger lock, because a writer may be about to delete the file or user. */
export function lockOf({ type }: EntryModel, { database: { dialect } }: ReadDeps): SQL {
  return type.system ? dialect.forUpdate : dialect.forChange
}

interface PreparedOne {
  readonly locking: Statement | undefined
  readonly statement: Statement<Row>
  readonly toEntry: ToEntry
}

function prepareOne(
  { from, fromIds, kinds, toEntry, lock, locksFirst }: StoredSelect,
  where: SQL,
  { database }: ReadDeps,
): PreparedOne {
  return {
    locking: locksFirst ? database.prepare(sql`${fromIds} where ${where} ${lock}`) : undefined,
    statement: database.prepare<Row>(sql`${from} where ${where} ${locksFirst ? sql`` : lock}`, kinds),
    toEntry,
  }
}

async function loadOne(
  { locking, statement, toEntry }: PreparedOne,
  values: Values,
  queries: Queries,
): Promise<Entry | undefined> {
  // Sent together; the database runs them in order.
  const locked = locking === undefined ? undefined : queries.get(locking, values)
  const [row] = await Promise.all([queries.get(statement, values), locked])
  return row === undefined ? undefined : toEntry(row)
}

interface PreparedMany {
  readonly locking: Query<Row> | undefined
  readonly rows: Query<Row>
  readonly unlocked: Query<Row>
  readonly toEntry: ToEntry
}

/**
 * A query rather than a prepared statement: MariaDB needs the ids written out, or it locks every row of the
 * table.
 */
function prepareMany(
  { from, fromIds, kinds, toEntry, lock, locksFirst }: StoredSelect,
  present: SQL,
  { database }: ReadDeps,
): PreparedMany {
  const columns = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, { column: name, kind }]),
  )
  const prepare = (select: SQL, lock: SQL) =>
    query<Row>(
      database,
      (_, inList) =>
        sql`${select} where ${inList(columnOf(alias, 'id'), 'ids', 'id')} and ${present} ${order} ${lock}`,
      columns,
    )
  return {
    locking: locksFirst ? prepare(fromIds, lock) : undefined,
    rows: prepare(from, locksFirst ? sql`` : lock),
    unlocked: prepare(from, sql``),
    toEntry,
  }
}
