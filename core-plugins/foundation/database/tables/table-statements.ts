import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type InsertMany, type InsertManyOptions, insertMany } from '../statements/insert-many.ts'
import {
  type InList,
  insertInto,
  type Query,
  query,
  selectList,
  setList,
  type Value,
} from '../statements/query.ts'
import type { QueryTarget } from '../statements/query-target.ts'
import type { Values } from '../statements/statement.ts'
import { type ColumnDeclarations, column, type NewRow, type SelectedRow, type TableColumn } from './column.ts'
import { type Page, pageOf, type Range } from './page.ts'

/** A condition: an expression, or columns, each of which is compared with the value that a run binds by its name. */
export type Where<C> = readonly (keyof C & string)[] | ((value: Value, inList: InList) => SQL)

/** What an update sets: expressions, or columns, each of which is set to the value that a run binds by its name. */
export type Changes<C> = readonly (keyof C & string)[] | ((value: Value) => SQL)

/** The values that a statement is run with: known by type if the columns are given as a list. */
type Bound<C, W> = W extends readonly (keyof C)[]
  ? number extends W['length']
    ? Values
    : Pick<SelectedRow<C>, W[number]>
  : Values

export interface FindOptions<K> {
  /** Default: all columns. */
  readonly pick?: readonly K[]
  readonly orderBy?: SQL
  readonly limit?: number
  /**
   * Locks the rows until the end of the transaction. `byPrimaryKey` if the condition names several rows by their key,
   * and another index begins with the same column: see `Dialect.byPrimaryKey`.
   */
  readonly lock?: boolean | 'byPrimaryKey'
}

export interface PageOptions<K> extends Pick<FindOptions<K>, 'pick'> {
  readonly orderBy: SQL
}

/** The usual statements of one table. Each call compiles a statement: keep the result, and run it with values. */
export interface TableStatements<C extends ColumnDeclarations> {
  /**
   * Inserts `columns`, or all but the id. With `ignoreDuplicates`, rows that a unique index rejects are
   * skipped.
   */
  insert<K extends keyof NewRow<C> = keyof NewRow<C>>(options?: {
    readonly columns?: readonly K[]
    readonly ignoreDuplicates?: boolean
  }): Query<unknown, Pick<NewRow<C>, K>>
  /** Like `insert`, for many rows at once or soon; see `InsertMany`. */
  insertMany<K extends keyof NewRow<C> = keyof NewRow<C>>(options?: {
    readonly columns?: readonly K[]
    readonly expressions?: InsertManyOptions['expressions']
  }): InsertMany<Pick<NewRow<C>, K>>
  find<const W extends Where<C>, K extends keyof C & string = keyof C & string>(
    where: W,
    options?: FindOptions<K>,
  ): Query<Pick<SelectedRow<C>, K>, Bound<C, W>>
  /** Like `find`, but binds `limit` and `offset`. */
  list<const W extends Where<C>, K extends keyof C & string = keyof C & string>(
    where: W,
    options: PageOptions<K>,
  ): Query<Pick<SelectedRow<C>, K>, Bound<C, W> & Range>
  page<const W extends Where<C>, K extends keyof C & string = keyof C & string>(
    where: W,
    options: PageOptions<K>,
  ): Page<Pick<SelectedRow<C>, K>, Bound<C, W>>
  count<const W extends Where<C>>(where: W): Query<{ readonly total: number }, Bound<C, W>>
  update<const S extends Changes<C>, const W extends Where<C>>(
    changes: S,
    where: W,
  ): Query<unknown, Bound<C, S> & Bound<C, W>>
  delete<const W extends Where<C>>(where: W): Query<unknown, Bound<C, W>>
}

/** The table as far as statements need it. */
interface StatedTable extends SQLWrapper {
  readonly name: string
  readonly columns: Readonly<Record<string, TableColumn>>
}

/** See `TableStatements`; `C` declares the types of rows and values. */
export function tableStatements<C extends ColumnDeclarations>(
  table: StatedTable,
  database: QueryTarget,
): TableStatements<C> {
  const statements = { ...insertions(table, database), ...reads(table, database), ...writes(table, database) }
  return statements as unknown as TableStatements<C>
}

type AnyWhere = Where<Record<string, unknown>>

function insertions({ name, columns }: StatedTable, database: QueryTarget) {
  const all = Object.keys(columns)
  return {
    insert({ columns: names = all, ignoreDuplicates = false } = {}) {
      const [first = ''] = Object.values(columns).map(({ column }) => column)
      const rest = ignoreDuplicates ? sql` ${database.dialect.ignoreDuplicates(first)}` : sql``
      return query(database, (value) => sql`${insertInto(name, pick(columns, names), value)}${rest}`)
    },
    insertMany({ columns: names = all, ...options }: { columns?: readonly string[] } = {}) {
      return insertMany(database, { table: name, columns: pick(columns, names), ...options })
    },
  }
}

const total = { total: column.integer() }

function reads(table: StatedTable, database: QueryTarget) {
  const { columns } = table
  const all = Object.keys(columns)

  function find(
    where: AnyWhere,
    { pick: names = all, orderBy, limit, lock = false }: FindOptions<string> = {},
  ) {
    const picked = pick(columns, names)
    const source = lock === 'byPrimaryKey' ? sql`${table} ${database.dialect.byPrimaryKey}` : table
    const tail = [
      ...(orderBy === undefined ? [] : [sql` order by ${orderBy}`]),
      ...(limit === undefined ? [] : [sql` limit ${sql.raw(String(limit))}`]),
      ...(lock !== false ? [sql` ${database.dialect.forUpdate}`] : []),
    ]
    return query(
      database,
      (value, inList) =>
        sql`select ${selectList(database, picked)} from ${source}${condition(columns, where, value, inList)}${sql.join(tail)}`,
      picked,
    )
  }

  function count(where: AnyWhere) {
    return query(
      database,
      (value, inList) =>
        sql`select count(*) as ${sql.identifier('total')} from ${table}${condition(columns, where, value, inList)}`,
      total,
    )
  }

  function list(where: AnyWhere, { pick: names = all, orderBy }: PageOptions<string>) {
    const picked = pick(columns, names)
    return query(
      database,
      (
        value,
        inList,
      ) => sql`select ${selectList(database, picked)} from ${table}${condition(columns, where, value, inList)}
        order by ${orderBy} limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      picked,
    )
  }

  const page = (where: AnyWhere, options: PageOptions<string>) => pageOf(list(where, options), count(where))

  return { find, list, count, page }
}

function writes(table: StatedTable, database: QueryTarget) {
  const { columns } = table
  return {
    update: (changes: Changes<Record<string, unknown>>, where: AnyWhere) =>
      query(database, (value, inList) => {
        const set = typeof changes === 'function' ? changes(value) : setList(pick(columns, changes), value)
        return sql`update ${table} set ${set}${condition(columns, where, value, inList)}`
      }),
    delete: (where: AnyWhere) =>
      query(
        database,
        (value, inList) => sql`delete from ${table}${condition(columns, where, value, inList)}`,
      ),
  }
}

function condition(columns: StatedTable['columns'], where: AnyWhere, value: Value, inList: InList): SQL {
  if (typeof where === 'function') return sql` where ${where(value, inList)}`
  const parts = Object.values(pick(columns, where)).map((column) => sql`${column} = ${value(column)}`)
  return parts.length === 0 ? sql`` : sql` where ${sql.join(parts, sql` and `)}`
}

/**
 * Picks columns in the order of `names`.
 * @throws Error on a name that the table does not have
 */
export function pick<T>(columns: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(
    names.map((name) => {
      const found = columns[name]
      if (found === undefined) throw new Error(`there is no column ${name}`)
      return [name, found]
    }),
  )
}
