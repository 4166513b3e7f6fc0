import { type SQLWrapper, sql } from 'drizzle-orm'
import type { QueryTarget } from '../statements/query-target.ts'
import {
  type Column,
  type ColumnDeclarations,
  type NewRow,
  nameInSql,
  type SelectedRow,
  type TableColumn,
  tableColumn,
} from './column.ts'
import type { ColumnSpec, IndexSpec, ReferenceSpec, TableSection, TableSpec } from './table-spec.ts'
import { pick, type TableStatements, tableStatements } from './table-statements.ts'

/** The columns of a table, or of one of the tables of a query. */
export type TableColumns<C> = {
  readonly [K in keyof C]: C[K] extends Column<infer T> ? TableColumn<T> : never
}

/** A table as named in a query. In an `sql` template it renders as its escaped name. */
export interface TableReference<C extends ColumnDeclarations> extends SQLWrapper {
  readonly columns: TableColumns<C>
  /** Some of the columns, for `selectList` and `query`. */
  pick<K extends keyof C & string>(...names: readonly K[]): Pick<TableColumns<C>, K>
}

/** A declared table: its spec for sync, its columns for queries, and its usual statements. */
export interface Table<C extends ColumnDeclarations = ColumnDeclarations> extends TableReference<C> {
  readonly name: string
  /** Contribute it to `tables`. */
  readonly spec: TableSpec
  /** The names of all columns except some. */
  except<K extends keyof C & string>(...names: readonly K[]): readonly Exclude<keyof C & string, K>[]
  /** `table alias`, with columns qualified by the alias: for queries of several tables. */
  as(alias: string): TableReference<C>
  on(database: QueryTarget): TableStatements<C>
  /** Never set: it only carries the type. */
  readonly declared?: C
}

/** A row of a table, as it is read. */
export type RowOf<T> = T extends Table<infer C> ? SelectedRow<C> : never

/** A row of a table, as it is inserted: without the generated id, and optionally without nullable columns. */
export type NewRowOf<T> = T extends Table<infer C> ? NewRow<C> : never

type Names<C> = readonly (keyof C & string)[]

export interface TableOptions<C> {
  /** For tables without a column of kind `id`. */
  readonly primaryKey?: Names<C>
  readonly indexes?: readonly (Omit<IndexSpec, 'columns' | 'descending'> & { readonly columns: Names<C> })[]
  /** The section of backups that contains its rows; by default they are not backed up. */
  readonly section?: TableSection
}

/**
 * Declares a table. The code uses the property names; the database uses the same in snake_case, unless a
 * column is `named` otherwise. Keys and indexes refer to the property names.
 */
export function defineTable<C extends ColumnDeclarations>(
  name: string,
  declared: C,
  options: TableOptions<C> = {},
): Table<C> {
  const spec = specOf(name, declared, options)
  const own = referenceTo(name, declared)
  return {
    ...own,
    name,
    spec,
    except: (...names) => allBut(Object.keys(declared), names),
    as: (alias) => referenceTo(name, declared, alias),
    on: (database) => tableStatements<C>({ ...own, name }, database),
  }
}

function allBut<Name extends string, K extends Name>(all: readonly string[], names: readonly K[]) {
  const left = new Set<string>(names)
  return all.filter((name): name is Exclude<Name, K> => !left.has(name))
}

function referenceTo<C extends ColumnDeclarations>(
  name: string,
  declared: C,
  alias?: string,
): TableReference<C> {
  const columns = Object.fromEntries(
    Object.entries(declared).map(([property, column]) => [property, tableColumn(property, column, alias)]),
  ) as TableColumns<C>
  const table = sql.identifier(name)
  const reference = alias === undefined ? sql`${table}` : sql`${table} ${sql.identifier(alias)}`
  return {
    columns,
    pick: (...names) =>
      pick(columns as Readonly<Record<string, TableColumn>>, names) as Pick<
        TableColumns<C>,
        (typeof names)[number]
      >,
    ...nameInSql(reference),
  }
}

function specOf<C extends ColumnDeclarations>(
  name: string,
  declared: C,
  { primaryKey, indexes = [], section }: TableOptions<C>,
): TableSpec {
  const columnOf = (property: string) => tableColumn(property, declared[property] as Column).column
  const entries = Object.entries(declared)
  return {
    name,
    columns: entries.map(
      ([property, { details }]): ColumnSpec => ({ name: columnOf(property), ...details.spec }),
    ),
    ...(primaryKey === undefined ? {} : { primaryKey: primaryKey.map(columnOf) }),
    ...(section === undefined ? {} : { section }),
    indexes: indexes.map((index) => ({ ...index, columns: index.columns.map(columnOf) })),
    references: entries.flatMap(([property, { details }]): ReferenceSpec[] =>
      details.reference === undefined ? [] : [{ column: columnOf(property), ...details.reference }],
    ),
  }
}
