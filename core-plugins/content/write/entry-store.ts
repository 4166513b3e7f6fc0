import { type SQL, sql } from 'drizzle-orm'
import {
  type ColumnKind,
  type Explain,
  type Queries,
  type Query,
  query,
  type Row,
  type Statement,
  type Transaction,
  type Values,
} from '../../database/database.ts'
import type { Entry } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import type { CheckedPayload } from '../payload/payload.ts'
import { sqlScope, tableAs } from '../query/sql-scope.ts'
import { allVisible, columnOf, visibleWhere } from '../query/visibility.ts'
import type { ReadScope } from '../read/compiled-read.ts'
import { entrySelect } from '../read/entry-select.ts'
import { createLinkStore } from './link-store.ts'

/** The rows of one type. Entries come with all fields, timestamps included, and with all drafts visible. */
export interface EntryStore {
  /** Locks the entry until the end of the transaction. Undefined for none, or one that is soft-deleted. */
  load(id: number, tx: Transaction): Promise<Entry | undefined>
  /** The same for many, in one query, in the order of their ids. */
  loadMany(ids: readonly number[], tx: Transaction): Promise<Entry[]>
  /** Like `load`, of soft-deleted entries only. */
  loadDeleted(id: number, tx: Transaction): Promise<Entry | undefined>
  /** The entry of a single type. */
  loadSingle(tx: Queries): Promise<Entry | undefined>
  /** Its links come with the next statement of the transaction; where they are refused, `explain` says what is thrown. */
  insert(payload: Pick<CheckedPayload, 'columns' | 'links'>, insertion: Insertion): Promise<Entry>
  /** Answers the entry as it is then. */
  update(before: Entry, change: Change, tx: Transaction): Promise<Entry>
  /** Writes the same to all of them with few statements, however many they are. */
  updateAlike(entries: readonly Entry[], change: Change, tx: Transaction): Promise<Entry[]>
  /** From here to the end of the transaction nothing else can come to point at an entry that is loaded. */
  seal(id: number, tx: Transaction): Promise<void>
  remove(id: number, tx: Transaction): Promise<void>
}

/** How a new entry is inserted. */
export interface Insertion {
  readonly now: string
  readonly tx: Transaction
  readonly explain: Explain
}

/** Columns with application values, and to-many fields with all of their ids. */
export interface Change {
  readonly columns: Readonly<Record<string, unknown>>
  readonly links?: ReadonlyMap<string, readonly number[]>
}

const alias = 't0'

export function createEntryStore(model: EntryModel, scope: ReadScope): EntryStore {
  const { database } = scope
  const { dialect } = database
  const { type } = model
  const table = sql.identifier(type.table)
  const kinds = columnKinds(model)
  const links = createLinkStore(model, database)
  const updates = new Map<string, Statement>()
  const updatesAlike = new Map<string, Query<unknown>>()

  const byId = sql`${columnOf(alias, 'id')} = ${dialect.placeholder('id', 'id')}`
  const present = visibleWhere(type, alias, allVisible, dialect) ?? sql`1 = 1`
  const isDeleted = type.options.softDelete ? sql`${columnOf(alias, 'deleted_at')} is not null` : sql`1 = 0`
  const order = sql`order by ${columnOf(alias, 'id')}`
  // Whoever changes a file or a user may be about to delete it.
  const lock = type.system ? dialect.forUpdate : dialect.forChange
  /** The ids of its links would be read as they were before the wait for the lock. */
  const mustLockFirst = !dialect.readsAfterLocks && model.links.size > 0
  const selectId = sql`select ${columnOf(alias, 'id')} from ${tableAs(model, alias)}`
  const select = {
    one: prepareSelect(sql`${byId} and ${present}`),
    deleted: prepareSelect(sql`${byId} and ${isDeleted}`),
    many: prepareSelectMany(),
    single: prepareSelect(sql`${present} ${order} limit 1`, false),
  }
  const sealing =
    lock === dialect.forUpdate
      ? undefined
      : database.prepare(
          sql`select id from ${table} where id = ${dialect.placeholder('id', 'id')} ${dialect.forUpdate}`,
        )
  const removal = database.prepare(sql`delete from ${table} where id = ${dialect.placeholder('id', 'id')}`)
  const insertion = prepareInsert()

  function selectStored() {
    const { columns, kinds, toEntry } = entrySelect(
      model,
      alias,
      sqlScope({ ...scope, dialect, visibility: allVisible }),
      new Set(model.stored.map(({ name }) => name)),
    )
    return { from: sql`select ${columns} from ${tableAs(model, alias)}`, kinds, toEntry }
  }

  function prepareSelect(where: SQL, isLocked = true) {
    const { from, kinds, toEntry } = selectStored()
    const locksFirst = isLocked && mustLockFirst
    return {
      locking: locksFirst ? database.prepare(sql`${selectId} where ${where} ${lock}`) : undefined,
      statement: database.prepare<Row>(
        sql`${from} where ${where} ${isLocked && !locksFirst ? lock : sql``}`,
        kinds,
      ),
      toEntry,
    }
  }

  /** As a query, whose list MariaDB gets written out: it would lock all rows of the table otherwise. */
  function prepareSelectMany() {
    const { from, kinds, toEntry } = selectStored()
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
      locking: mustLockFirst ? prepare(selectId, lock) : undefined,
      rows: prepare(from, mustLockFirst ? sql`` : lock),
      toEntry,
    }
  }

  function prepareInsert(): Statement {
    const columns = [...kinds.keys()].filter((column) => column !== 'id')
    const names = sql.join(
      columns.map((column) => sql.identifier(column)),
      sql`, `,
    )
    const values = sql.join(
      columns.map((column) => placeholderOf(column)),
      sql`, `,
    )
    return database.prepare(sql`insert into ${table} (${names}) values (${values})`)
  }

  function placeholderOf(column: string): SQL {
    return dialect.placeholder(column, kinds.get(column) ?? 'text')
  }

  function prepareUpdate(columns: readonly string[]): Statement {
    const key = columns.join(',')
    const kept = updates.get(key)
    if (kept !== undefined) return kept
    const assignments = columns.map((column) => sql`${sql.identifier(column)} = ${placeholderOf(column)}`)
    const statement = database.prepare(
      sql`update ${table} set ${sql.join(assignments, sql`, `)} where id = ${dialect.placeholder('id', 'id')}`,
    )
    updates.set(key, statement)
    return statement
  }

  function prepareUpdateAlike(columns: readonly string[]): Query<unknown> {
    const key = columns.join(',')
    const made =
      updatesAlike.get(key) ??
      query(database, (value, inList) => {
        const assignments = columns.map(
          (column) => sql`${sql.identifier(column)} = ${value(column, kinds.get(column) ?? 'text')}`,
        )
        return sql`update ${table} set ${sql.join(assignments, sql`, `)} where ${inList(sql`id`, 'ids', 'id')}`
      })
    updatesAlike.set(key, made)
    return made
  }

  function bindColumns(columns: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const values: Record<string, unknown> = {}
    for (const column in columns) values[column] = dialect.bind(columns[column], kinds.get(column) ?? 'text')
    return values
  }

  async function selectOne(
    { locking, statement, toEntry }: typeof select.one,
    values: Values,
    queries: Queries,
  ): Promise<Entry | undefined> {
    // Sent together, and run one after the other.
    const locked = locking === undefined ? undefined : queries.get(locking, values)
    const [row] = await Promise.all([queries.get(statement, values), locked])
    return row === undefined ? undefined : toEntry(row)
  }

  return {
    load: (id, tx) => selectOne(select.one, { id }, tx),
    loadDeleted: (id, tx) => selectOne(select.deleted, { id }, tx),
    loadSingle: (tx) => selectOne(select.single, {}, tx),
    async loadMany(ids, tx) {
      const { locking, rows, toEntry } = select.many
      const locked = locking?.all({ ids }, tx)
      const [found] = await Promise.all([rows.all({ ids }, tx), locked])
      return found.map(toEntry)
    },
    async insert(payload, { now, tx, explain }) {
      const columns = { ...payload.columns, published_at: null, created_at: now, updated_at: now }
      const { insertId } = await tx.run(insertion, bindColumns(insertedColumns(columns, kinds)))
      for (const [name, targetIds] of payload.links) {
        links.insert(name, { sourceId: insertId, targetIds, explain }, tx)
      }
      return entryFrom(model, { id: insertId, ...columns }, payload.links)
    },
    async update(before, { columns, links: newLinks = new Map() }, tx) {
      const statement = prepareUpdate(Object.keys(columns))
      await tx.run(statement, { ...bindColumns(columns), id: before.id })
      for (const [name, ids] of newLinks) await links.replace(name, before, ids, tx)
      return changedEntry(model, before, columns, newLinks)
    },
    async updateAlike(entries, { columns, links: newLinks = new Map() }, tx) {
      const ids = entries.map(({ id }) => id)
      await prepareUpdateAlike(Object.keys(columns)).run({ ...columns, ids }, tx)
      for (const [name, targetIds] of newLinks) await links.replaceAlike(name, entries, targetIds, tx)
      return entries.map((entry) => changedEntry(model, entry, columns, newLinks))
    },
    async seal(id, tx) {
      if (sealing !== undefined) await tx.get(sealing, { id })
    },
    async remove(id, tx) {
      await tx.run(removal, { id })
    },
  }
}

function columnKinds(model: EntryModel): ReadonlyMap<string, ColumnKind> {
  const kinds = new Map<string, ColumnKind>()
  for (const field of model.stored) if ('column' in field) kinds.set(field.column, field.kind)
  for (const { column, kind } of model.added) kinds.set(column, kind)
  if (model.type.options.softDelete) kinds.set('deleted_at', 'datetime')
  return kinds
}

/** Every column that the statement names, and no others: types without drafts have no `published_at`. */
function insertedColumns(columns: Record<string, unknown>, kinds: ReadonlyMap<string, ColumnKind>) {
  const values: Record<string, unknown> = {}
  for (const column of kinds.keys()) if (column !== 'id') values[column] = columns[column] ?? null
  return values
}

/** The entry that a new row makes, without reading it back. */
function entryFrom(
  model: EntryModel,
  columns: Readonly<Record<string, unknown>>,
  links: ReadonlyMap<string, readonly number[]>,
): Entry {
  const entry: Record<string, unknown> = {}
  for (const field of model.stored) {
    entry[field.name] = 'link' in field ? [...(links.get(field.name) ?? [])] : (columns[field.column] ?? null)
  }
  return entry as Entry
}

function changedEntry(
  model: EntryModel,
  before: Entry,
  columns: Readonly<Record<string, unknown>>,
  links: ReadonlyMap<string, readonly number[]>,
): Entry {
  const entry: Entry = { ...before }
  for (const field of model.stored) {
    if ('link' in field) {
      const ids = links.get(field.name)
      if (ids !== undefined) entry[field.name] = [...ids]
    } else if (field.column in columns) {
      entry[field.name] = columns[field.column]
    }
  }
  return entry
}
