import type { ColumnKind } from './column-kind.ts'
import { isPoint } from './point.ts'

/**
 * Whether JSON holds a value of a kind in the form in which answers show it. What else its attribute demands (a length,
 * a choice) is for writes to check.
 */
export function isHeldAs(kind: ColumnKind, value: unknown): boolean {
  switch (kind) {
    case 'integer':
    case 'id':
    case 'reference':
      return Number.isSafeInteger(value)
    case 'bigint':
      return Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value))
    case 'decimal':
      return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
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
