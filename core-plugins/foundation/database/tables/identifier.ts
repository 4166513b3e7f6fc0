import { createHash } from 'node:crypto'
import type { TableSpec } from './table-spec.ts'

// PostgreSQL silently truncates longer names, MySQL rejects those over 64.
const maxBytes = 63

const hashLength = 8

/**
 * Returns a name that every database accepts unchanged: a name of more than 63 bytes keeps its beginning and
 * ends in a hash of the whole, so that different long names stay different.
 */
export function shortenIdentifier(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength)
  const beginning = Buffer.from(name).subarray(0, maxBytes - hashLength - 1)
  return `${new TextDecoder().decode(beginning).replace(/\uFFFD+$/, '')}_${hash}`
}

/** The table's name in the database; names in its queries are shortened when they are compiled. */
export function shortenNames(table: TableSpec): TableSpec {
  const shorten = shortenIdentifier
  return {
    ...table,
    name: shorten(table.name),
    columns: table.columns.map((column) => ({
      ...column,
      name: shorten(column.name),
      ...(column.renamedFrom === undefined ? {} : { renamedFrom: shorten(column.renamedFrom) }),
      ...(column.filledFrom === undefined ? {} : { filledFrom: shorten(column.filledFrom) }),
    })),
    ...(table.primaryKey === undefined ? {} : { primaryKey: table.primaryKey.map(shorten) }),
    ...(table.indexes === undefined
      ? {}
      : { indexes: table.indexes.map((index) => ({ ...index, columns: index.columns.map(shorten) })) }),
    ...(table.references === undefined
      ? {}
      : {
          references: table.references.map((reference) => ({
            ...reference,
            column: shorten(reference.column),
            table: shorten(reference.table),
          })),
        }),
  }
}
