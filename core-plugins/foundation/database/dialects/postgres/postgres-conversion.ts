import { defaultLength } from '../../sync/conversion.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import { isIntegerKind } from '../../tables/column-kind.ts'
import type { ColumnSpec } from '../../tables/table-spec.ts'

/** The SQL that converts a column's value to another kind, if it does exactly what `convertValue` does. */
export function postgresConversion(
  name: string,
  { kind: from }: Pick<ColumnSpec, 'kind'>,
  { kind: to, length = defaultLength }: Pick<ColumnSpec, 'kind' | 'length'>,
): string | undefined {
  const text = textOf(name, from)
  if (to === 'text') return text
  if (to === 'string') return text === undefined ? undefined : `left(${text}, ${length})`
  if (to === 'decimal' && isIntegerKind(from)) return `${name}::numeric`
  if (to === 'datetime' && from === 'date') return `${name}::timestamp at time zone 'UTC'`
  if (to === 'date' && from === 'datetime') return `(${name} at time zone 'UTC')::date`
  return undefined
}

function textOf(name: string, kind: ColumnKind): string | undefined {
  switch (kind) {
    case 'json':
    case 'point':
      return undefined
    case 'decimal':
      return `trim_scale(${name})::text`
    case 'date':
      return `to_char(${name}, 'YYYY-MM-DD')`
    case 'datetime':
      return `to_char(${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    default:
      return `${name}::text`
  }
}
