import { type SQL, sql } from 'drizzle-orm'
import type { ErrorDetail } from '../../http/http.ts'
import type { ColumnField, EntryModel } from '../entry-model.ts'
import { type BoundRestriction, shapeOfRestriction } from './bound-restriction.ts'
import type { Slots } from './condition.ts'
import { canonicalFieldName } from './filters.ts'
import type { MetaSelections } from './meta-selections.ts'
import { bindRestriction, restrictionDeps, restrictionSql } from './restriction.ts'
import type { SqlContext } from './sql-context.ts'
import { columnOf } from './visibility.ts'

export interface SortKey {
  readonly field: ColumnField
  readonly direction: 'asc' | 'desc'
  /** What is sorted by instead of the field's column: something that a plugin knows about entries. */
  readonly expression?: SortedMeta
}

export interface SortedMeta {
  readonly model: EntryModel
  readonly bound: BoundRestriction
}

/** What sorts may name besides fields. */
export interface SortableMeta {
  readonly selections: MetaSelections
  readonly slots: Slots
}

/** Sorting by a hidden entry's id would reveal it; JSON has no order. */
const unsortable: ReadonlySet<string> = new Set(['json', 'reference'])

/** `sort=title` with `sortOrder=desc`, or `sort=featured:desc,title:asc`; ties are broken by id, ascending. */
export function parseSort(
  sort: string | undefined,
  sortOrder: string | undefined,
  model: EntryModel,
  problems: ErrorDetail[],
  meta?: SortableMeta,
): SortKey[] {
  const fallback = parseDirection(sortOrder ?? 'asc', 'sortOrder', problems)
  const parts = sort === undefined || sort === '' ? [] : sort.split(',')
  const keys = withoutRepeats(
    parts.flatMap((part) => parseKey(part.trim(), fallback, model, { problems, meta })),
  )
  const lastId = keys.findIndex((key) => key.field.name === 'id')
  // Ids are unique, so later keys cannot change the order.
  if (lastId >= 0) return keys.slice(0, lastId + 1)
  const id = model.columns.get('id') as ColumnField
  return [...keys, { field: id, direction: keys.length === 0 ? fallback : 'asc' }]
}

/** The `order by` list. */
export function orderSql(sort: readonly SortKey[], alias: string, deps: SqlContext): SQL {
  const keys = sort.map(({ field, direction, expression }) => {
    const sorted =
      expression === undefined
        ? columnOf(alias, field.column)
        : sql`(${restrictionSql(expression.bound, alias, restrictionDeps(expression.model, deps))})`
    return deps.dialect.orderBy(sorted, direction, field.nullable)
  })
  return sql.join(keys, sql`, `)
}

/** Equal for keys that need the same SQL. */
export function shapeOfKey({ field, direction, expression }: SortKey): string {
  const sorted = expression === undefined ? '' : ` ${shapeOfRestriction(expression.bound)}`
  return `${field.name} ${direction}${sorted}`
}

/** A repeated key does not change the order, but makes the statement longer. */
function withoutRepeats(keys: readonly SortKey[]): SortKey[] {
  const byName = new Map<string, SortKey>()
  for (const key of keys) if (!byName.has(key.field.name)) byName.set(key.field.name, key)
  return [...byName.values()]
}

function parseKey(
  part: string,
  fallback: SortKey['direction'],
  model: EntryModel,
  { problems, meta }: { readonly problems: ErrorDetail[]; readonly meta: SortableMeta | undefined },
): SortKey[] {
  const [name = '', order, ...rest] = part.split(':')
  const sorted = sortedBy(name, model, meta)
  const field = sorted?.field
  if (field === undefined || unsortable.has(field.kind) || rest.length > 0) {
    problems.push({
      path: 'sort',
      code: 'unknown',
      message: `${model.type.name} cannot be sorted by ${name}`,
    })
    return []
  }
  return [
    { ...sorted, field, direction: order === undefined ? fallback : parseDirection(order, 'sort', problems) },
  ]
}

function sortedBy(
  name: string,
  model: EntryModel,
  meta: SortableMeta | undefined,
): Pick<SortKey, 'field' | 'expression'> | undefined {
  const field = model.columns.get(canonicalFieldName(name))
  if (field !== undefined) return { field }
  const selection = meta?.selections.named(name)
  if (meta === undefined || selection === undefined) return undefined
  const { of, ...order } = selection.order(model.type)
  const bound = bindRestriction({ ...order, where: of }, meta.slots)
  return { field: { name, column: '', kind: 'string', nullable: true }, expression: { model, bound } }
}

function parseDirection(text: string, path: string, problems: ErrorDetail[]): SortKey['direction'] {
  const direction = text.toLowerCase()
  if (direction === 'asc' || direction === 'desc') return direction
  problems.push({ path, code: 'enum', message: 'must be asc or desc' })
  return 'asc'
}
