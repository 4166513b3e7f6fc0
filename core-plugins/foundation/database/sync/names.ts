import { shortenIdentifier } from '../tables/identifier.ts'
import type { IndexSpec, TableSpec } from '../tables/table-spec.ts'

const prefixes = { index: 'ix', unique: 'ux', fulltext: 'ft' } as const

/** The name of an index, unique within the database. */
export function indexName(table: string, { type, columns, descending = [] }: IndexSpec): string {
  const parts = columns.map((column) => (descending.includes(column) ? `${column}_desc` : column))
  return shortenIdentifier(`${prefixes[type]}_${table}__${parts.join('__')}`)
}

export function referenceName(table: string, column: string): string {
  return shortenIdentifier(`fk_${table}__${column}`)
}

export function primaryKeyName(table: string): string {
  return shortenIdentifier(`pk_${table}`)
}

export function primaryKeyOf(table: TableSpec): readonly string[] {
  const id = idColumnOf(table)
  return id === undefined ? (table.primaryKey ?? []) : [id]
}

/** The auto-incrementing column, if the table has one. */
export function idColumnOf(table: TableSpec): string | undefined {
  return table.columns.find((column) => column.kind === 'id')?.name
}

/**
 * The indexes that a table should have: the declared ones, and one for every reference that no declared index begins
 * with, as deleting a target would otherwise scan the whole table.
 */
export function indexesOf(table: TableSpec): IndexSpec[] {
  const declared = table.indexes ?? []
  const leading = [...declared.filter(({ type }) => type !== 'fulltext').map(({ columns }) => columns[0])]
  leading.push(primaryKeyOf(table)[0])
  const missing = (table.references ?? []).filter(({ column }) => !leading.includes(column))
  return [...declared, ...missing.map(({ column }) => ({ columns: [column], type: 'index' as const }))]
}
