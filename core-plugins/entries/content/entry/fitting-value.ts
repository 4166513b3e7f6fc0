import { convertedValue, isHeldAs, shownDecimal } from '../../../foundation/database/database.ts'
import type { ColumnField, LinkField } from './entry-model.ts'

/**
 * Converts a value of a draft or revision, which may be older than the schema, to the form of its field; undefined if that is
 * impossible.
 */
export function fittingValue(field: ColumnField | LinkField, value: unknown): unknown {
  if ('link' in field) return isHeldAs('id', value) ? [value] : Array.isArray(value) ? value : undefined
  if (field.fit !== undefined) return field.fit(value) ?? null
  if (value === null) return null
  if (field.kind === 'reference') {
    const id = Array.isArray(value) && value.length === 1 ? value[0] : value
    return isHeldAs('id', id) ? id : undefined
  }
  if (!isHeldAs(field.kind, value)) return convertedValue(value, field) ?? undefined
  return field.kind === 'decimal' && typeof value === 'number' ? shownDecimal(value) : value
}
