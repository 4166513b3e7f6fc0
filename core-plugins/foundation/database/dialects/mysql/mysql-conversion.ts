import { defaultLength } from '../../sync/conversion.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import { isIntegerKind } from '../../tables/column-kind.ts'
import type { ColumnSpec } from '../../tables/table-spec.ts'

type Held = Pick<ColumnSpec, 'kind' | 'length'>

/** Whether the server, when it changes the type of a column, does exactly what `convertValue` does. */
export function convertsByItself({ kind: from }: Held, to: Held): boolean {
  const isWhole = isIntegerKind(from)
  if (to.kind === 'decimal') return isWhole
  if (to.kind === 'datetime') return from === 'date'
  const length = to.kind === 'text' ? Infinity : to.kind === 'string' ? (to.length ?? defaultLength) : 0
  return (isWhole && length >= 20) || (from === 'date' && length >= 10)
}

/** The SQL that converts a column's value to another kind, if it does exactly what `convertValue` does. */
export function mysqlConversion(
  name: string,
  { kind: from }: Held,
  { kind: to, length = defaultLength }: Held,
): string | undefined {
  const text = textOf(name, from)
  if (to === 'text') return text
  if (to === 'string') return text === undefined ? undefined : `left(${text}, ${length})`
  if (to === 'date' && from === 'datetime') return `cast(${name} as date)`
  return undefined
}

function textOf(name: string, kind: ColumnKind): string | undefined {
  switch (kind) {
    case 'json':
    case 'point':
      return undefined
    case 'string':
    case 'text':
      return name
    case 'boolean':
      return `if(${name} is null, null, if(${name} = 1, 'true', 'false'))`
    case 'decimal':
      return `trim(trailing '.' from trim(trailing '0' from cast(${name} as char)))`
    case 'date':
      return `date_format(${name}, '%Y-%m-%d')`
    case 'datetime':
      return `concat(date_format(${name}, '%Y-%m-%dT%H:%i:%s.'), left(date_format(${name}, '%f'), 3), 'Z')`
    default:
      return `cast(${name} as char)`
  }
}
