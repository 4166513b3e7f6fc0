import { type ColumnKind, isPoint } from '../../../foundation/database/database.ts'
import { DamagedArchive } from '../archive/damaged-archive.ts'
import type { ArchivedTable } from '../archive/manifest.ts'
import { parseRow } from '../archive/rows.ts'
import type { FittedColumn, TableFit } from './fit.ts'

/**
 * Creates a converter from a line of an archive that `rowCheck` accepts to the values of the table's columns.
 */
export function rowReader({ archived, columns }: Pick<TableFit, 'archived' | 'columns'>) {
  return (line: string): unknown[] => {
    const values = parseRow(line, archived)
    return columns.map((column) => restoredValue(column, values))
  }
}

function restoredValue(
  { from, nullable, default: value }: FittedColumn,
  values: readonly unknown[],
): unknown {
  if (from === undefined) return value
  const found = values[from]
  return found === null && !nullable ? value : found
}

/** A table of an archive, and the columns that its rows go into. */
export interface TableToCheck {
  readonly archived: ArchivedTable
  /** The table's name in reports. */
  readonly label: string
  readonly columns: readonly FittedColumn[]
}

/** A text that is too long for its column. */
export interface LongValue {
  /** `article.title` */
  readonly path: string
  /** The maximum number of characters. */
  readonly length: number
}

/**
 * Reports the first value of a line that is too long for its column, if any.
 * @throws DamagedArchive if a value is of another type than its column: SQLite would store anything
 */
export function rowCheck({ archived, label, columns }: TableToCheck) {
  return (line: string): LongValue | undefined => {
    const values = parseRow(line, archived)
    let long: LongValue | undefined
    for (const column of columns) {
      const value = restoredValue(column, values)
      assertKind(value, column, label)
      if (isTooLong(value, column)) long ??= { path: `${label}.${column.name}`, length: column.length }
    }
    return long
  }
}

function assertKind(value: unknown, { name, kind, nullable, from }: FittedColumn, label: string): void {
  if (from === undefined || (value === null ? nullable : fits[kind](value))) return
  throw new DamagedArchive(`holds a value for ${label}.${name} that is not of type ${kind}`)
}

/**
 * Characters outside the basic plane count once and take two units; a text that is far too long is not
 * counted.
 */
function isTooLong(value: unknown, { kind, length }: FittedColumn): boolean {
  if (kind !== 'string' || typeof value !== 'string' || value.length <= length) return false
  return value.length > 2 * length || [...value].length > length
}

const decimalPattern = /^-?\d{1,40}(\.\d{1,40})?$/
const datePattern = /^\d{4}-\d\d-\d\d$/
const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Deeper than any request may nest, and far from where serializing would overflow the stack. */
const maxDepth = 500

/** PostgreSQL rejects text with this character. */
const isText = (value: unknown) => typeof value === 'string' && !value.includes('\0')
const isDigits = (value: unknown) =>
  typeof value === 'number' || (isText(value) && decimalPattern.test(String(value)))

const fits: Readonly<Record<ColumnKind, (value: unknown) => boolean>> = {
  id: Number.isSafeInteger,
  reference: Number.isSafeInteger,
  integer: Number.isSafeInteger,
  bigint: isDigits,
  decimal: isDigits,
  boolean: (value) => typeof value === 'boolean',
  string: isText,
  text: isText,
  date: (value) => isText(value) && datePattern.test(String(value)),
  datetime: (value) => isText(value) && momentPattern.test(String(value)),
  json: (value) => isNestedWithin(value, maxDepth),
  point: isPoint,
}

function isNestedWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((inner) => isNestedWithin(inner, depth - 1))
}
