import { exactDecimal } from '../decimal.ts'
import { exactInteger } from '../integer.ts'
import { isPoint } from '../point.ts'
import type { ColumnKind } from './column-kind.ts'

/**
 * Whether a JSON value has the form in which answers show values of a kind. Further rules of the attribute (a length,
 * a choice) are checked by writes.
 */
export function isHeldAs(kind: ColumnKind, value: unknown): boolean {
  switch (kind) {
    case 'integer':
    case 'id':
    case 'reference':
      return Number.isSafeInteger(value)
    case 'bigint':
      return Number.isSafeInteger(value) || isDigits(value, /^-?\d+$/, exactInteger)
    case 'decimal':
      return typeof value === 'number' || isDigits(value, /^-?\d+(\.\d+)?$/, exactDecimal)
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
    case 'datetime':
      return typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
    case 'point':
      return isPoint(value)
    case 'json':
      return true
    default:
      return typeof value === 'string'
  }
}

/** Whether a value is a number as text because a double does not hold all its digits. */
function isDigits(value: unknown, form: RegExp, exact: (digits: string) => number | string): boolean {
  return typeof value === 'string' && form.test(value) && exact(value) === value
}
