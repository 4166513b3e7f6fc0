import type { Dialect } from '../dialect.ts'
import type { ColumnSpec, IndexSpec } from '../tables/table-spec.ts'

/** A value as an SQL literal; every database is configured so that only quotes need doubling. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`
  return String(value ?? null)
}

/** The default of a column as SQL, unless it is null. */
export function defaultLiteral(column: ColumnSpec, dialect: Dialect): string | undefined {
  const { kind, default: value = null } = column
  return value === null ? undefined : literal(dialect.bind(value, kind))
}

/** ` desc` if the column is descending in the index. */
export function directionSql({ descending = [] }: IndexSpec, column: string): string {
  return descending.includes(column) ? ' desc' : ''
}

/** Quoted names, joined by commas. */
export function nameList(names: readonly string[], quote: (name: string) => string): string {
  return names.map(quote).join(', ')
}
