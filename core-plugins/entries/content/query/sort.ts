import { type SQL, sql } from 'drizzle-orm'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import { isReference, targetNameOf } from '../../../foundation/schemas/schemas.ts'
import type { MetaSelections } from '../entry/entry-meta.ts'
import type { ColumnField, EntryModel } from '../entry/entry-model.ts'
import { assertConverted } from '../entry/waiting-conversion.ts'
import { type BoundRestriction, shapeOfRestriction } from './bound-restriction.ts'
import type { BoundCentre, Slots } from './condition.ts'
import { canonicalFieldName } from './filters.ts'
import { bindCentre, centreIn } from './place-filters.ts'
import { distanceSql } from './place-sql.ts'
import { bindRestriction, restrictionDeps, restrictionSql } from './restriction.ts'
import { type SqlContext, tableAs, targetModel } from './sql-context.ts'
import { columnOf, shownColumn, visibleTargetWhere } from './visibility.ts'

export interface SortKey {
  readonly field: ColumnField
  readonly direction: 'asc' | 'desc'
  /** The metadata from a plugin to sort by, instead of the field's column. */
  readonly expression?: SortedMeta
  /** Set to sort points by their distance from here; entries without a point come last. */
  readonly centre?: BoundCentre
  /** The to-one relation to the entry with the field; entries hidden from the caller sort as null. */
  readonly through?: ColumnField
}

export interface SortedMeta {
  readonly model: EntryModel
  readonly bound: BoundRestriction
}

export interface SortContext {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly problems: ErrorDetail[]
  /** Collects the names of other types by whose entries the query sorts. */
  readonly lookedInto: Set<string>
  readonly slots: Slots
  /** Metadata from plugins that sorts may name besides fields. */
  readonly selections?: MetaSelections
}

/** Sorting by a hidden entry's id would reveal it; JSON has no order, and points only have one relative to a centre. */
const unsortable: ReadonlySet<string> = new Set(['json', 'reference', 'point'])

/** The limit of keys that are fields of other entries: each key looks up one for every sorted entry. */
const maxKeysThrough = 3

/**
 * `sort=title` with `sortOrder=desc`, or `sort=featured:desc,author.name:asc,place:near:47.4:8.5`; ties are broken by id,
 * ascending.
 */
export function parseSort(
  sort: string | undefined,
  sortOrder: string | undefined,
  model: EntryModel,
  context: SortContext,
): SortKey[] {
  const { problems } = context
  const fallback = parseDirection(sortOrder ?? 'asc', 'sortOrder', problems)
  const parts = sort === undefined || sort === '' ? [] : sort.split(',')
  const keys = withoutRepeats(parts.flatMap((part) => parseKey(part.trim(), fallback, model, context)))
  if (keys.filter(({ through }) => through !== undefined).length > maxKeysThrough) {
    const message = `takes at most ${maxKeysThrough} fields of related entries`
    problems.push({ path: 'sort', code: 'maxItems', message })
  }
  const lastId = keys.findIndex((key) => key.field.name === 'id')
  // Ids are unique, so later keys cannot change the order.
  if (lastId >= 0) return keys.slice(0, lastId + 1)
  const id = model.columns.get('id') as ColumnField
  return [...keys, { field: id, direction: keys.length === 0 ? fallback : 'asc' }]
}

/** How a statement sorts entries. */
export interface Order {
  /** The `order by` list. */
  readonly keys: SQL
  /** Follows the table of the entries in the statement: ` left join …`, or nothing. */
  readonly joins: SQL
}

/** The order of the entries in the table with the given alias. */
export function orderOf(sort: readonly SortKey[], alias: string, deps: SqlContext): Order {
  const sorted = sort.map((key) => sortedBySql(key, alias, deps))
  const keys = sorted.map(({ key: { direction, field }, value }) =>
    deps.dialect.orderBy(value, direction, field.nullable),
  )
  return { keys: sql.join(keys, sql`, `), joins: sql.join(sorted.map(({ join }) => join ?? sql``)) }
}

interface SortedSql {
  readonly key: SortKey
  readonly value: SQL
  readonly join?: SQL
}

function sortedBySql(key: SortKey, alias: string, deps: SqlContext): SortedSql {
  const { field, expression, through, centre } = key
  if (centre !== undefined) return { key, value: distanceOrder(key, centre, alias, deps) }
  if (through !== undefined) return relatedBySql(key, through, alias, deps)
  if (expression === undefined)
    return { key, value: deps.dialect.asDeclared(shownColumn(alias, field), field.kind) }
  const where = restrictionSql(expression.bound, alias, restrictionDeps(expression.model, deps))
  return { key, value: sql`(${where})` }
}

/** Outside the range of haversines (0 to 1), so that missing points come last in either direction. */
const beyond = { asc: sql`2.0`, desc: sql`-1.0` }

function distanceOrder(
  { field, direction }: SortKey,
  centre: BoundCentre,
  alias: string,
  { dialect }: SqlContext,
): SQL {
  return sql`coalesce(${distanceSql(centre, columnOf(alias, field.column), dialect)}, ${beyond[direction]})`
}

/**
 * A field of the entry that a to-one field refers to; null if the caller may see no such entry. It is joined, because PostgreSQL
 * would run a subquery for each entry, which takes eight times as long for a hundred thousand.
 */
function relatedBySql(key: SortKey, through: ColumnField, alias: string, deps: SqlContext): SortedSql {
  const target = targetModel(through, deps)
  const targetAlias = deps.nextAlias()
  const isReferred = sql`${columnOf(targetAlias, 'id')} = ${columnOf(alias, through.column)}`
  const visible = visibleTargetWhere(target.type, targetAlias, deps.visibility, deps.dialect)
  const on = visible === undefined ? isReferred : sql`${isReferred} and ${visible}`
  return {
    key,
    value: deps.dialect.asDeclared(shownColumn(targetAlias, key.field), key.field.kind),
    join: sql` left join ${tableAs(target, targetAlias)} on ${on}`,
  }
}

/** Adds the fields that an order depends on: of the entries themselves, and of related ones by type. */
export function addFieldsOfSort(
  sort: readonly SortKey[],
  own: Set<string>,
  related: Map<string, Set<string>>,
): void {
  for (const { field, through } of sort) {
    own.add(through?.name ?? field.name)
    if (through === undefined || !isReference(through.attribute)) continue
    const type = targetNameOf(through.attribute)
    const fields = related.get(type) ?? new Set()
    related.set(type, fields.add(field.name.slice(through.name.length + 1)).add('published_at'))
  }
}

/** Equal for keys that need the same SQL. */
export function shapeOfKey({ field, direction, expression, centre }: SortKey): string {
  const sorted = expression === undefined ? '' : ` ${shapeOfRestriction(expression.bound)}`
  const from = centre === undefined ? '' : ` near ${Object.values(centre).join()}`
  return `${field.name} ${direction}${sorted}${from}`
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
  context: SortContext,
): SortKey[] {
  const { problems } = context
  const [name = '', order, ...rest] = part.split(':')
  if (order === 'near') return parseDistanceKey(name, rest, fallback, model, context)
  const sorted = sortedBy(name, model, context)
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

/** `place:near:47.3769:8.5417`, and the direction after it */
function parseDistanceKey(
  name: string,
  [lat = '', lng = '', order, ...rest]: readonly string[],
  fallback: SortKey['direction'],
  model: EntryModel,
  { problems, slots }: SortContext,
): SortKey[] {
  const field = model.columns.get(canonicalFieldName(name))
  if (field?.kind !== 'point') {
    const message = `${model.type.name} cannot be sorted by how near ${name} is`
    problems.push({ path: 'sort', code: 'unknown', message })
    return []
  }
  const centre = centreIn(lat, lng)
  if (centre === undefined || rest.length > 0) {
    const message = `needs a latitude and a longitude after near, such as ${name}:near:47.3769:8.5417`
    problems.push({ path: 'sort', code: 'type', message })
    return []
  }
  const direction = order === undefined ? fallback : parseDirection(order, 'sort', problems)
  return [{ field: { ...field, nullable: false }, direction, centre: bindCentre(centre, slots) }]
}

function sortedBy(
  name: string,
  model: EntryModel,
  context: SortContext,
): Pick<SortKey, 'field' | 'expression' | 'through'> | undefined {
  const field = model.columns.get(canonicalFieldName(name))
  if (field !== undefined) return { field: assertConverted(field) }
  if (name.includes('.')) return sortedThrough(name, model, context)
  const { selections, slots } = context
  const selection = selections?.named(name)
  if (selection === undefined) return undefined
  selections?.note(selection)
  const { of, ...order } = selection.order(model.type)
  const bound = bindRestriction({ ...order, where: of }, slots)
  return { field: { name, column: '', kind: 'string', nullable: true }, expression: { model, bound } }
}

/** `author.name` */
function sortedThrough(
  name: string,
  model: EntryModel,
  { models, lookedInto }: SortContext,
): Pick<SortKey, 'field' | 'through'> | undefined {
  const [relation = '', ...rest] = name.split('.')
  const through = model.columns.get(relation)
  if (through === undefined || !isReference(through.attribute)) return undefined
  const target = models.get(targetNameOf(through.attribute))
  // The order reveals something about the related type, so the caller must be allowed to read it.
  lookedInto.add(targetNameOf(through.attribute))
  const field = target?.columns.get(canonicalFieldName(rest.join('.')))
  return (
    field && {
      field: { ...assertConverted(field), name: `${relation}.${field.name}`, nullable: true },
      through,
    }
  )
}

function parseDirection(text: string, path: string, problems: ErrorDetail[]): SortKey['direction'] {
  const direction = text.toLowerCase()
  if (direction === 'asc' || direction === 'desc') return direction
  problems.push({ path, code: 'enum', message: 'must be asc or desc' })
  return 'asc'
}
