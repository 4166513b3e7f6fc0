import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../../database/database.ts'
import type { ErrorDetail } from '../../http/http.ts'
import type { ColumnField, EntryModel } from '../entry-model.ts'
import { canonicalFieldName } from './filters.ts'
import { columnOf } from './visibility.ts'

export interface SortKey {
  readonly field: ColumnField
  readonly direction: 'asc' | 'desc'
}

/** Sorting by a hidden entry's id would reveal it; JSON has no order. */
const unsortable: ReadonlySet<string> = new Set(['json', 'reference'])

/** `sort=title` with `sortOrder=desc`, or `sort=featured:desc,title:asc`; ties are broken by id, ascending. */
export function parseSort(
  sort: string | undefined,
  sortOrder: string | undefined,
  model: EntryModel,
  problems: ErrorDetail[],
): SortKey[] {
  const fallback = parseDirection(sortOrder ?? 'asc', 'sortOrder', problems)
  const parts = sort === undefined || sort === '' ? [] : sort.split(',')
  const keys = withoutRepeats(parts.flatMap((part) => parseKey(part.trim(), fallback, model, problems)))
  const lastId = keys.findIndex((key) => key.field.name === 'id')
  // Ids are unique, so later keys cannot change the order.
  if (lastId >= 0) return keys.slice(0, lastId + 1)
  const id = model.columns.get('id') as ColumnField
  return [...keys, { field: id, direction: keys.length === 0 ? fallback : 'asc' }]
}

/** The `order by` list. */
export function orderSql(sort: readonly SortKey[], alias: string, dialect: Dialect): SQL {
  const keys = sort.map(({ field, direction }) =>
    dialect.orderBy(columnOf(alias, field.column), direction, field.nullable),
  )
  return sql.join(keys, sql`, `)
}

/** A repeated key does not change the order, but makes the statement longer. */
function withoutRepeats(keys: readonly SortKey[]): SortKey[] {
  const byField = new Map<ColumnField, SortKey>()
  for (const key of keys) if (!byField.has(key.field)) byField.set(key.field, key)
  return [...byField.values()]
}

function parseKey(
  part: string,
  fallback: SortKey['direction'],
  model: EntryModel,
  problems: ErrorDetail[],
): SortKey[] {
  const [name = '', order, ...rest] = part.split(':')
  const field = model.columns.get(canonicalFieldName(name))
  if (field === undefined || unsortable.has(field.kind) || rest.length > 0) {
    problems.push({
      path: 'sort',
      code: 'unknown',
      message: `${model.type.name} cannot be sorted by ${name}`,
    })
    return []
  }
  return [{ field, direction: order === undefined ? fallback : parseDirection(order, 'sort', problems) }]
}

function parseDirection(text: string, path: string, problems: ErrorDetail[]): SortKey['direction'] {
  const direction = text.toLowerCase()
  if (direction === 'asc' || direction === 'desc') return direction
  problems.push({ path, code: 'enum', message: 'must be asc or desc' })
  return 'asc'
}
