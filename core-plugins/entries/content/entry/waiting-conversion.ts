import { isDeepStrictEqual } from 'node:util'
import { convertedValue, describeKind, type Held } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import type { Entry } from './entry.ts'
import type { ColumnField, EntryModel } from './entry-model.ts'

/*
 * While the conversion of a column to its declared type would lose values, the column keeps its type until an administrator
 * allows the conversion. Until then, entries show the converted values (null if a value does not fit), written values have to fit
 * both types, and the field cannot be used in filters, sorts or aggregates.
 */

/** @throws AppError 409 if the conversion of the field is pending */
export function assertConverted<Field extends ColumnField>(field: Field): Field {
  const held = field.held?.()
  if (held === undefined) return field
  throw new AppError('CONFLICT', `${field.name} cannot be used in a query before ${waiting(field, held)}`)
}

/** Reports the values of a payload that only one of the two types can hold. */
export function unstorable(model: EntryModel, columns: Readonly<Record<string, unknown>>): ErrorDetail[] {
  return model.stored.flatMap((field) => {
    const held = 'column' in field ? field.held?.() : undefined
    if (held === undefined || !('column' in field)) return []
    const value = columns[field.column] ?? null
    if (value === null || isDeepStrictEqual(convertedValue(convertedValue(value, held), field), value))
      return []
    const message = `has a value that cannot be stored before ${waiting(field, held)}`
    return [{ path: field.name, code: 'unsupported' as const, message }]
  })
}

/**
 * Omits values that were sent back as shown while their conversion is pending, so that values shown as null because they do not
 * fit are not lost.
 */
export function changedColumns(
  model: EntryModel,
  before: Entry,
  columns: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const same = model.stored.flatMap((field) => {
    if (!('column' in field) || !(field.column in columns) || field.held?.() === undefined) return []
    return isDeepStrictEqual(before[field.name] ?? null, columns[field.column] ?? null) ? [field.column] : []
  })
  if (same.length === 0) return columns
  return Object.fromEntries(Object.entries(columns).filter(([column]) => !same.includes(column)))
}

function waiting(field: ColumnField, held: Held): string {
  return `its column is converted from ${describeKind(held)} to ${describeKind(field)}; see /database/preview, and apply it with /database/safe-sync`
}
