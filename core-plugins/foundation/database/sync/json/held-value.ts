import { exactDecimal } from '../../decimal.ts'
import { exactInteger } from '../../integer.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import { isHeldAs } from '../../tables/json-value.ts'
import { convertValue } from '../conversion.ts'

/** A value, not null, in the form in which JSON stores that kind; null if it has no such form. */
export function heldAs(kind: ColumnKind, value: unknown): unknown {
  if (isHeldAs(kind, value)) return value
  // Texts in JSON have no maximum length.
  const converted = convertValue(value, { kind: kind === 'string' ? 'text' : kind })
  if (typeof converted !== 'string') return converted
  if (kind === 'integer') return Number(converted)
  if (kind === 'bigint') return exactInteger(converted)
  return kind === 'decimal' ? exactDecimal(converted) : converted
}

/** The same if the conversion loses nothing; null otherwise. */
export function keptAs(kind: ColumnKind, value: unknown, from: ColumnKind): unknown {
  const held = heldAs(kind, value)
  return held !== null && heldAs(from, held) === value ? held : null
}
