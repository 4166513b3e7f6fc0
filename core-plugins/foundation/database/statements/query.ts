import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { SelectedRow, Selection, TableColumn } from '../tables/column.ts'
import type { ColumnKind } from '../tables/column-kind.ts'
import type { Queries, QueryTarget, Recipient, RunResult } from './query-target.ts'
import type { ColumnKinds, Statement, StatementOptions, Values } from './statement.ts'

/** A placeholder for a value that each run binds by name. */
export interface Value {
  (name: string, kind: ColumnKind): SQL
  /** A value of a column's kind, bound by the column's name unless it has its own. */
  (column: TableColumn, name?: string): SQL
}

/** A condition: true if `value` is among the items of an array that each run binds by name. */
export interface InList {
  (value: SQL, name: string, kind: ColumnKind): SQL
  (column: TableColumn, name: string): SQL
}

/** A statement built once; values go in and come out as application values. */
export interface Query<R, V = Values> {
  all(values?: V, on?: Queries, recipient?: Recipient): Promise<R[]>
  get(values?: V, on?: Queries, recipient?: Recipient): Promise<R | undefined>
  run(values?: V, on?: Queries): Promise<RunResult>
}

/** Columns by the names that the code uses: of a declared table, or of one created at run time. */
export type Columns = Readonly<Record<string, NamedColumn>>

interface NamedColumn extends Partial<SQLWrapper> {
  /** The name in the database. */
  readonly column: string
  readonly kind: ColumnKind
}

/**
 * Compiles the text that `build` creates, at its first run. `selection` is what it selects, and determines the type
 * of its rows; for tables created at run time the caller names that type.
 */
export function query<S extends Selection>(
  database: QueryTarget,
  build: (value: Value, inList: InList) => SQL,
  selection: S,
  options?: StatementOptions,
): Query<SelectedRow<S>>
export function query<R = unknown>(
  database: QueryTarget,
  build: (value: Value, inList: InList) => SQL,
  selection?: Selection | Columns,
  options?: StatementOptions,
): Query<R>
export function query<R>(
  database: QueryTarget,
  build: (value: Value, inList: InList) => SQL,
  columns: Selection = {},
  options: StatementOptions = {},
): Query<R> {
  const prepare = (sizes: ListSizes) => prepareText<R>(database, { build, columns, sizes, options })
  // The service has hundreds of statements, of which most processes run few.
  let choose: ((values: Values) => Prepared<R>) | undefined
  const prepareFirst = () => {
    const first = prepare(() => undefined)
    const isWrittenOut = first.lists.length > 0 && !database.dialect.isListFastInWrites
    return isWrittenOut ? bySizes(first, prepare) : () => first
  }
  const run = (values: Values) => {
    choose ??= prepareFirst()
    const { statement, bind } = choose(values)
    return [statement, bind(values)] as const
  }
  return {
    all: async (values = {}, on = database, recipient = undefined) => on.all(...run(values), recipient),
    get: async (values = {}, on = database, recipient = undefined) => on.get(...run(values), recipient),
    run: async (values = {}, on = database) => on.run(...(run(values) as [Statement, Values])),
  }
}

/** How many items of a list are written out; undefined if the list is bound as a whole. */
type ListSizes = (name: string) => number | undefined

interface Prepared<R> {
  readonly statement: Statement<R>
  /** The names of its lists. */
  readonly lists: readonly string[]
  bind(values: Values): Values
}

interface TextOptions {
  readonly build: (value: Value, inList: InList) => SQL
  readonly columns: Selection
  readonly sizes: ListSizes
  readonly options: StatementOptions
}

function prepareText<R>(database: QueryTarget, { build, columns, sizes, options }: TextOptions): Prepared<R> {
  const { dialect } = database
  const bindings = new Map<string, (values: Values) => unknown>()
  const lists = new Set<string>()
  const value = valueMaker((name, kind) => {
    bindings.set(name, (values) => dialect.bind(values[name] ?? null, kind))
    return dialect.placeholder(name, kind)
  })
  const item = (name: string, index: number, kind: ColumnKind) => {
    const own = `${name}.${index}`
    bindings.set(own, (values) => dialect.bind(itemOf(values[name], index), kind))
    return dialect.placeholder(own, kind)
  }
  const inListOf = (expression: SQL, name: string, kind: ColumnKind) => {
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
  const inList: InList = (value: SQL | TableColumn, name: string, kind?: ColumnKind) =>
    'property' in value
      ? inListOf(value.getSQL(), name, value.kind)
      : inListOf(value, name, kind as ColumnKind)
  const statement = database.prepare<R>(build(value, inList), kindsOf(columns), options)
  const all = [...bindings]
  return {
    statement,
    lists: [...lists],
    bind(values) {
      const bound: Record<string, unknown> = {}
      for (const [name, bindValue] of all) bound[name] = bindValue(values)
      return bound
    },
  }
}

/** Creates a `Value` from a placeholder with a name and a kind. */
export function valueMaker(make: (name: string, kind: ColumnKind) => SQL): Value {
  return (of: string | TableColumn, more?: string) =>
    typeof of === 'string' ? make(of, more as ColumnKind) : make(more ?? of.property, of.kind)
}

/** Pads a written-out list by repeating its last item. */
function itemOf(items: unknown, index: number): unknown {
  const all = items as readonly unknown[]
  return all[Math.min(index, all.length - 1)]
}

/** Shares one text among all lists of similar length, created for the first of them. */
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

/** `column as "name"` of all columns. */
export function selectList({ dialect }: Pick<QueryTarget, 'dialect'>, columns: Columns): SQL {
  const items = Object.entries(columns).map(([name, { column, kind, getSQL }]) => {
    const selected = getSQL?.() ?? sql`${sql.identifier(column)}`
    return sql`${dialect.select(selected, kind)} as ${sql.identifier(name)}`
  })
  return sql.join(items, sql`, `)
}

/** An insert of one row with all columns except the generated `id`. */
export function insertInto(table: string, columns: Columns, value: Value): SQL {
  const written = Object.entries(columns).filter(([, { kind }]) => kind !== 'id')
  const names = written.map(([, { column }]) => sql.identifier(column))
  const values = written.map(([name, { kind }]) => value(name, kind))
  return sql`insert into ${sql.identifier(table)} (${sql.join(names, sql`, `)}) values (${sql.join(values, sql`, `)})`
}

/** The `set` list of an update of all columns except `id`. */
export function setList(columns: Columns, value: Value): SQL {
  const items = Object.entries(columns)
    .filter(([, { kind }]) => kind !== 'id')
    .map(([name, { column, kind }]) => sql`${sql.identifier(column)} = ${value(name, kind)}`)
  return sql.join(items, sql`, `)
}

function kindsOf(columns: Selection): ColumnKinds {
  return Object.fromEntries(Object.entries(columns).map(([name, { kind }]) => [name, kind]))
}
