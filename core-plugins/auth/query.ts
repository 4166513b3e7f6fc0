import { type SQL, sql } from 'drizzle-orm'
import type {
  ColumnKind,
  ColumnKinds,
  Database,
  Queries,
  RunResult,
  Statement,
  Values,
} from '../database/database.ts'

/** Stands in a statement for a value that each run binds by name. */
export type Value = (name: string, kind: ColumnKind) => SQL

/** A statement that is built once; its values come and go as application values. */
export interface Query<R> {
  all(values?: Values, on?: Queries): Promise<R[]>
  get(values?: Values, on?: Queries): Promise<R | undefined>
  run(values?: Values, on?: Queries): Promise<RunResult>
}

/** Columns of a table by the name that the code knows them by. */
export type Columns = Readonly<Record<string, { readonly column: string; readonly kind: ColumnKind }>>

/** Prepares the text that `build` makes; `columns` are those that it selects with `selectList`. */
export function query<R = unknown>(
  database: Database,
  build: (value: Value) => SQL,
  columns: Columns = {},
): Query<R> {
  const { dialect } = database
  const kinds = new Map<string, ColumnKind>()
  const text = build((name, kind) => {
    kinds.set(name, kind)
    return dialect.placeholder(name, kind)
  })
  const statement = database.prepare<R>(text, kindsOf(columns))
  const bind = (values: Values) =>
    Object.fromEntries([...kinds].map(([name, kind]) => [name, dialect.bind(values[name] ?? null, kind)]))
  return {
    all: async (values = {}, on = database) => on.all(statement, bind(values)),
    get: async (values = {}, on = database) => on.get(statement, bind(values)),
    run: async (values = {}, on = database) => on.run(statement as Statement, bind(values)),
  }
}

/** `column as "name"` of all columns; `table` qualifies them where a query joins. */
export function selectList({ dialect }: Database, columns: Columns, table?: string): SQL {
  const items = Object.entries(columns).map(([name, { column, kind }]) => {
    const qualified = table === undefined ? sql.identifier(column) : qualify(table, column)
    return sql`${dialect.select(sql`${qualified}`, kind)} as ${sql.identifier(name)}`
  })
  return sql.join(items, sql`, `)
}

/** An insert of one row with all columns but the `id` that counts up by itself. */
export function insertInto(table: string, columns: Columns, value: Value): SQL {
  const written = Object.entries(columns).filter(([, { kind }]) => kind !== 'id')
  const names = written.map(([, { column }]) => sql.identifier(column))
  const values = written.map(([name, { kind }]) => value(name, kind))
  return sql`insert into ${sql.identifier(table)} (${sql.join(names, sql`, `)}) values (${sql.join(values, sql`, `)})`
}

/** The `set` list of an update of all columns but `id`. */
export function setList(columns: Columns, value: Value): SQL {
  const items = Object.entries(columns)
    .filter(([, { kind }]) => kind !== 'id')
    .map(([name, { column, kind }]) => sql`${sql.identifier(column)} = ${value(name, kind)}`)
  return sql.join(items, sql`, `)
}

function qualify(table: string, column: string): SQL {
  return sql`${sql.identifier(table)}.${sql.identifier(column)}`
}

function kindsOf(columns: Columns): ColumnKinds {
  return Object.fromEntries(Object.entries(columns).map(([name, { kind }]) => [name, kind]))
}
