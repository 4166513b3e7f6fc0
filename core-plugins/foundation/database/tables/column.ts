import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Point } from '../point.ts'
import type { ColumnKind } from './column-kind.ts'
import type { ColumnSpec, ReferenceSpec } from './table-spec.ts'

/**
 * Whether a new row must provide a value: nullable columns may be omitted, and generated ids cannot be given.
 */
type Presence = 'required' | 'optional' | 'generated'

interface ColumnDetails {
  readonly spec: Omit<ColumnSpec, 'name'>
  /** The name in the database, if it is not the property's name in snake_case. */
  readonly name?: string
  readonly reference?: Omit<ReferenceSpec, 'column'>
}

/** How a table declares a column, or a query a selected value; see `column`. */
export class Column<T = unknown, P extends Presence = Presence> {
  /** Never set: they only carry types. */
  declare readonly type: T
  declare readonly presence: P
  readonly details: ColumnDetails

  constructor(details: ColumnDetails) {
    this.details = details
  }

  get kind(): ColumnKind {
    return this.details.spec.kind
  }

  nullable(): Column<T | null, 'optional'> {
    const { spec, ...rest } = this.details
    return new Column({ ...rest, spec: { ...spec, nullable: true } })
  }

  /** Sets the column's name in the database. */
  named(name: string): Column<T, P> {
    return new Column({ ...this.details, name })
  }

  /** The value for rows that existed before the column did. */
  default(value: T & NonNullable<ColumnSpec['default']>): Column<T, P> {
    return new Column({ ...this.details, spec: { ...this.details.spec, default: value } })
  }
}

function make<T, P extends Presence = 'required'>(
  spec: Omit<ColumnSpec, 'name'>,
  reference?: Omit<ReferenceSpec, 'column'>,
): Column<T, P> {
  return new Column(reference === undefined ? { spec } : { spec, reference })
}

/**
 * The kinds of columns (see `ColumnKind` for their values), not null unless made `nullable()`. A type
 * argument narrows the values for TypeScript, such as `column.string<'open' | 'closed'>(20)`; the database
 * does not check it.
 */
export const column = {
  /** Auto-incrementing. */
  id: () => make<number, 'generated'>({ kind: 'id' }),
  /** The id of a row of another table; `onDelete` says what happens to this row when that one is deleted. */
  reference: (table: string, onDelete: ReferenceSpec['onDelete']) =>
    make<number>({ kind: 'reference' }, { table, onDelete }),
  integer: () => make<number>({ kind: 'integer' }),
  bigint: <T extends number | string = number | string>() => make<T>({ kind: 'bigint' }),
  decimal: <T extends number | string = number | string>() => make<T>({ kind: 'decimal' }),
  boolean: () => make<boolean>({ kind: 'boolean' }),
  /** At most `length` characters; default 255. */
  string: <T extends string = string>(length?: number) =>
    make<T>(length === undefined ? { kind: 'string' } : { kind: 'string', length }),
  text: () => make<string>({ kind: 'text' }),
  date: () => make<string>({ kind: 'date' }),
  datetime: () => make<string>({ kind: 'datetime' }),
  json: <T = unknown>() => make<T>({ kind: 'json' }),
  point: () => make<Point>({ kind: 'point' }),
  /** For tables created at run time, or columns declared elsewhere. */
  ofKind: <T = unknown>(kind: ColumnKind) => make<T>({ kind }),
}

/** The columns of a table, by the names that the code uses. */
export type ColumnDeclarations = Readonly<Record<string, Column>>

/** A column of a table. In an `sql` template it renders as its escaped name. */
export interface TableColumn<T = unknown> extends SQLWrapper {
  /** The name that the code uses. */
  readonly property: string
  /** The name in the database. */
  readonly column: string
  readonly kind: ColumnKind
  /** Never set: it only carries the type. */
  readonly type?: T
}

/** `qualifier` names the table if a query has several. */
export function tableColumn(property: string, { details }: Column, qualifier?: string): TableColumn {
  const name = details.name ?? snakeCase(property)
  const reference = sql.identifier(name)
  const qualified: SQL =
    qualifier === undefined ? sql`${reference}` : sql`${sql.identifier(qualifier)}.${reference}`
  return { property, column: name, kind: details.spec.kind, ...nameInSql(qualified) }
}

/**
 * What an `sql` template renders for an object; drizzle puts all others in parentheses, which are invalid
 * around names.
 */
export function nameInSql(name: SQL): SQLWrapper {
  return { getSQL: () => name, shouldOmitSQLParens: () => true }
}

function snakeCase(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** What a query selects, by the names in its rows: columns of tables, or expressions of a declared kind. */
export type Selection = Readonly<Record<string, { readonly kind: ColumnKind }>>

/** A row with the values of a selection. */
export type SelectedRow<S> = {
  readonly [K in keyof S]: S[K] extends { readonly type?: infer T } ? T : unknown
}

type NamesOf<C, P extends Presence> = {
  [K in keyof C]: C[K] extends Column<infer _, infer Q> ? (Q extends P ? K : never) : never
}[keyof C]

type ValueOf<C> = C extends { readonly type: infer T } ? T : never

/** A row to insert into a table with these columns. */
export type NewRow<C> = { readonly [K in NamesOf<C, 'required'>]: ValueOf<C[K]> } & {
  readonly [K in NamesOf<C, 'optional'>]?: ValueOf<C[K]>
}
