import type { ColumnKind } from '../../database/database.ts'
import { AppError } from '../../http/http.ts'
import { DamagedArchive } from '../archive/damaged-archive.ts'
import { parseRow } from '../archive/rows.ts'
import type { FittedColumn, TableFit } from './fit.ts'

const decimalPattern = /^-?\d{1,40}(\.\d{1,40})?$/
const datePattern = /^\d{4}-\d\d-\d\d$/
const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const isText = (value: unknown) => typeof value === 'string'
const isDigits = (value: unknown) =>
  typeof value === 'number' || (isText(value) && decimalPattern.test(String(value)))

/** SQLite would keep whatever it is given. */
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
  json: () => true,
}

/** Makes the values of a table's columns of a line of an archive. */
export function rowReader({ archived, target, columns }: TableFit): (line: string) => unknown[] {
  const label = target.label
  const readers = columns.map((column) => columnReader(column, label))
  return (line) => {
    const values = parseRow(line, archived)
    return readers.map((read) => read(values))
  }
}

function columnReader(column: FittedColumn, label: string): (values: readonly unknown[]) => unknown {
  const { name, kind, length, nullable, from, default: value } = column
  if (from === undefined) return () => value
  const isFitting = fits[kind]
  return (values) => {
    const found = values[from]
    if (found === null) {
      if (nullable) return null
      if (value !== null) return value
    }
    if (found === null || !isFitting(found)) {
      throw new DamagedArchive(`holds a value for ${label}.${name} that is no ${kind}`)
    }
    if (kind === 'string' && String(found).length > length)
      requireLength(String(found), `${label}.${name}`, length)
    return found
  }
}

/** Characters outside of the basic plane count once. */
function requireLength(value: string, path: string, length: number): void {
  if ([...value].length <= length) return
  const message = `the backup has a value of more than the ${length} characters that ${path} may have here`
  throw new AppError('CONFLICT', message, { details: [{ path, code: 'maxLength', message }] })
}
