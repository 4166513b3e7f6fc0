import { type SQL, sql } from 'drizzle-orm'
import type {
  ColumnKind,
  ColumnKinds,
  Queries,
  QueryTarget,
  Recipient,
  RunResult,
  Statement,
  StatementOptions,
  Values,
} from './database.ts'

/** Stands in a statement for a value that each run binds by name. */
export type Value = (name: string, kind: ColumnKind) => SQL

/** In a statement: true where `value` is among the items of an array that each run binds by name. */
export type InList = (value: SQL, name: string, kind: ColumnKind) => SQL

/** A statement that is built once; its values come and go as application values. */
export interface Query<R> {
  all(values?: Values, on?: Queries, recipient?: Recipient): Promise<R[]>
  get(values?: Values, on?: Queries, recipient?: Recipient): Promise<R | undefined>
  run(values?: Values, on?: Queries): Promise<RunResult>
}

/** Columns of a table by the name that the code knows them by. */
export type Columns = Readonly<Record<string, { readonly column: string; readonly kind: ColumnKind }>>

/** Prepares the text that `build` makes; `columns` are those that it selects with `selectList`. */
export function query<R = unknown>(
  database: QueryTarget,
  build: (value: Value, inList: InList) => SQL,
  columns: Columns = {},
  options: StatementOptions = {},
): Query<R> {
  const prepare = (sizes: ListSizes) => prepareText<R>(database, { build, columns, sizes, options })
  const first = prepare(() => undefined)
  const isWrittenOut = first.lists.length > 0 && !database.dialect.isListFastInWrites
  const choose = isWrittenOut ? bySizes(first, prepare) : () => first
  const run = (values: Values) => {
    const { statement, bind } = choose(values)
    return [statement, bind(values)] as const
  }
  return {
    all: async (values = {}, on = database, recipient = undefined) => on.all(...run(values), recipient),
    get: async (values = {}, on = database, recipient = undefined) => on.get(...run(values), recipient),
    run: async (values = {}, on = database) => on.run(...(run(values) as [Statement, Values])),
  }
}

/** How many items of a list are written out; undefined where it is bound as a whole. */
type ListSizes = (name: string) => number | undefined

interface Prepared<R> {
  readonly statement: Statement<R>
  /** The names of its lists. */
  readonly lists: readonly string[]
  bind(values: Values): Values
}

interface TextOptions {
  readonly build: (value: Value, inList: InList) => SQL
  readonly columns: Columns
  readonly sizes: ListSizes
  readonly options: StatementOptions
}

function prepareText<R>(database: QueryTarget, { build, columns, sizes, options }: TextOptions): Prepared<R> {
  const { dialect } = database
  const bindings = new Map<string, (values: Values) => unknown>()
  const lists = new Set<string>()
  const value: Value = (name, kind) => {
    bindings.set(name, (values) => dialect.bind(values[name] ?? null, kind))
    return dialect.placeholder(name, kind)
  }
  const item = (name: string, index: number, kind: ColumnKind) => {
    const own = `${name}.${index}`
    bindings.set(own, (values) => dialect.bind(itemOf(values[name], index), kind))
    return dialect.placeholder(own, kind)
  }
  const inList: InList = (expression, name, kind) => {
    lists.add(name)
    const size = sizes(name)
    if (size === undefined) {
      bindings.set(name, (values) => dialect.list((values[name] ?? []) as readonly unknown[], kind))
      return dialect.inList(expression, name, kind)
    }
    if (size === 0) return sql`1 = 0`
    const items = Array.from({ length: size }, (_, index) => item(name, index, kind))
    return sql`${expression} in (${sql.join(items, sql`, `)})`
  }
  const statement = database.prepare<R>(build(value, inList), kindsOf(columns), options)
  return {
    statement,
    lists: [...lists],
    bind: (values) => Object.fromEntries([...bindings].map(([name, bindValue]) => [name, bindValue(values)])),
  }
}

/** The last item fills what a written out list is too long by. */
function itemOf(items: unknown, index: number): unknown {
  const all = items as readonly unknown[]
  return all[Math.min(index, all.length - 1)]
}

/** One text for all lists of similar length, made when the first of them comes by. */
function bySizes<R>(first: Prepared<R>, prepare: (sizes: ListSizes) => Prepared<R>) {
  const kept = new Map<string, Prepared<R>>()
  return (values: Values): Prepared<R> => {
    const sizes = new Map(first.lists.map((name) => [name, roomFor(values[name])]))
    const key = [...sizes.values()].join(' ')
    const found = kept.get(key) ?? prepare((name) => sizes.get(name))
    kept.set(key, found)
    return found
  }
}

/** The next power of two. */
function roomFor(items: unknown): number {
  const { length } = (items ?? []) as readonly unknown[]
  return length === 0 ? 0 : 2 ** Math.ceil(Math.log2(length))
}

/** `column as "name"` of all columns; `table` qualifies them where a query joins. */
export function selectList({ dialect }: Pick<QueryTarget, 'dialect'>, columns: Columns, table?: string): SQL {
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
