import { type SQL, sql } from 'drizzle-orm'
import type { Dialect, RelatedRows } from '../../../foundation/database/database.ts'
import { filterOperators, isReference, isToMany } from '../../../foundation/schemas/schemas.ts'
import type { ColumnField, EntryModel, LinkField } from '../entry/entry-model.ts'
import { type Condition, itemColumn, type ReferenceField } from './condition.ts'
import { placeSql } from './place-sql.ts'
import { restrictionDeps, restrictionSql } from './restriction.ts'
import { inverseLinkTable, type SqlContext, tableAs, targetModel } from './sql-context.ts'
import { type ChosenStandIns, hasVisibleStandIn } from './stand-ins.ts'
import { columnOf, shownColumn, visibleTargetWhere } from './visibility.ts'

/** The condition on the entries with table alias `alias`. */
export function conditionSql(condition: Condition, alias: string, deps: SqlContext): SQL {
  switch (condition.kind) {
    case 'and':
      return allOf(condition.conditions.map((part) => conditionSql(part, alias, deps)))
    case 'or':
      return anyOf(condition.conditions.map((part) => conditionSql(part, alias, deps)))
    case 'not':
      return oppositeSql(condition.condition, alias, deps)
    case 'compare':
      return comparisonSql(condition, alias, deps.dialect)
    case 'place':
      return placeSql(condition, documentSql(condition.field, alias, deps.dialect), deps.dialect)
    case 'null':
      return nullSql(condition, alias, deps)
    case 'meta':
      return metaSql(condition, alias, deps)
    case 'related':
      return relatedSql(condition, alias, deps)
    case 'items':
      return itemsSql(condition, alias, deps)
  }
}

/**
 * True where the condition is false. Pushed down to its parts, because the negation of a relation can be a
 * join.
 */
function oppositeSql(condition: Condition, alias: string, deps: SqlContext): SQL {
  switch (condition.kind) {
    case 'and':
      return anyOf(condition.conditions.map((part) => oppositeSql(part, alias, deps)))
    case 'or':
      return allOf(condition.conditions.map((part) => oppositeSql(part, alias, deps)))
    case 'related':
      return unrelatedSql(condition, alias, deps)
    default:
      // Not `not`: an unknown truth value, such as a comparison with null yields, must become true here.
      return sql`(${conditionSql(condition, alias, deps)}) is not true`
  }
}

function allOf(parts: readonly SQL[]): SQL {
  return parts.length === 0 ? sql`1 = 1` : joined(parts, sql` and `)
}

function anyOf(parts: readonly SQL[]): SQL {
  return parts.length === 0 ? sql`1 = 0` : joined(parts, sql` or `)
}

function joined(parts: readonly SQL[], by: SQL): SQL {
  return sql.join(
    parts.map((part) => sql`(${part})`),
    by,
  )
}

type CompareCondition = Extract<Condition, { kind: 'compare' }>

function comparisonSql(
  { field, comparison, slots, at }: CompareCondition,
  alias: string,
  dialect: Dialect,
): SQL {
  const document = documentSql(field, alias, dialect)
  const column =
    at === undefined ? dialect.asDeclared(document, field.kind) : dialect.json.value(document, at.path, at.as)
  const values = slots.map((slot) => {
    const value = dialect.placeholder(slot, field.kind)
    return at?.as === 'double' ? dialect.json.double(value) : value
  })
  const [value = sql`null`, upper = sql`null`] = values
  const compared = { dialect, column, kind: field.kind, value, upper, slot: slots[0] ?? '' }
  const isTrue = filterOperators[comparison].sql(compared)
  if (comparison !== '$eq') return isTrue
  const indexed = field.shown?.()?.indexed?.((name) => columnOf(alias, name), value)
  return indexed === undefined ? isTrue : sql`${indexed} and ${isTrue}`
}

/** The JSON document that a field's values are read from: its column or, for items of a list, the item with the alias. */
export function documentSql(field: ColumnField, alias: string, dialect: Dialect): SQL {
  return field.column === itemColumn ? dialect.json.item(alias) : shownColumn(alias, field)
}

/** The component in a field, or some item in a list of them. */
function itemsSql(
  { field, isList, at, component, condition }: Extract<Condition, { kind: 'items' }>,
  alias: string,
  deps: SqlContext,
): SQL {
  const { json } = deps.dialect
  const document = documentSql(field, alias, deps.dialect)
  if (!isList) return sql`(${json.isObject(document, at)} and (${conditionSql(condition, alias, deps)}))`
  const item = deps.nextAlias()
  const isMeant =
    component === undefined
      ? sql``
      : sql`${json.value(json.item(item), component.path, 'text')} = ${deps.dialect.placeholder(component.uid, 'string')} and `
  return json.someItem(
    json.items(document, at, item),
    sql`${isMeant}(${conditionSql(condition, item, deps)})`,
  )
}

function isColumn(field: ReferenceField): field is ColumnField {
  return 'column' in field
}

function isLink(field: ReferenceField): field is LinkField {
  return 'link' in field
}

function metaSql(
  { model, bound }: Extract<Condition, { kind: 'meta' }>,
  alias: string,
  deps: SqlContext,
): SQL {
  return sql`(${restrictionSql(bound, alias, restrictionDeps(model, deps))})`
}

/** A relation counts as null if the caller may see none of the entries that it refers to. */
function nullSql({ field, at }: Extract<Condition, { kind: 'null' }>, alias: string, deps: SqlContext): SQL {
  if (!isColumn(field)) return unrelatedSql({ field }, alias, deps)
  if (at !== undefined && isReference(field.attribute)) return unrelatedSql({ field, at }, alias, deps)
  if (at !== undefined) return deps.dialect.json.isNull(documentSql(field, alias, deps.dialect), at)
  return isReference(field.attribute)
    ? sql`${referenceSql(field, alias, deps)} is null`
    : sql`${columnOf(alias, field.column)} is null`
}

/**
 * The id in a to-one field; null if that entry (with stand-ins: every entry that could stand in for it) is hidden from the
 * caller.
 */
export function referenceSql(
  field: ColumnField,
  alias: string,
  deps: SqlContext,
  standIns?: ChosenStandIns,
): SQL {
  const stored = columnOf(alias, field.column)
  const target = targetModel(field, deps)
  const targetAlias = deps.nextAlias()
  const visible = shownTargetWhere(target, targetAlias, deps, standIns)
  if (visible === undefined) return stored
  const id = columnOf(targetAlias, 'id')
  return sql`(select ${id} from ${tableAs(target, targetAlias)} where ${id} = ${stored} and ${visible})`
}

function shownTargetWhere(
  target: EntryModel,
  alias: string,
  deps: SqlContext,
  standIns: ChosenStandIns | undefined,
): SQL | undefined {
  return standIns === undefined
    ? visibleTargetWhere(target.type, alias, deps.visibility, deps.dialect)
    : hasVisibleStandIn(standIns, target, alias, deps)
}

/** The ids of an owning to-many field in order, joined by commas; null if it has no visible ones. See `referenceSql`. */
export function linkedIdsSql(
  field: LinkField,
  alias: string,
  deps: SqlContext,
  standIns?: ChosenStandIns,
): SQL {
  const link = deps.nextAlias()
  const targetAlias = deps.nextAlias()
  const target = deps.models.get(field.link.target.name) as EntryModel
  const targetId = columnOf(link, 'target_id')
  const visible = shownTargetWhere(target, targetAlias, deps, standIns)
  const join =
    visible === undefined
      ? sql``
      : sql` join ${tableAs(target, targetAlias)} on ${columnOf(targetAlias, 'id')} = ${targetId} and ${visible}`
  return joinedIdsSql(field, { alias, link, join }, deps)
}

/** The same with all ids, including those of hidden entries. */
export function storedIdsSql(field: LinkField, alias: string, deps: SqlContext): SQL {
  return joinedIdsSql(field, { alias, link: deps.nextAlias(), join: sql`` }, deps)
}

function joinedIdsSql(
  field: LinkField,
  { alias, link, join }: { readonly alias: string; readonly link: string; readonly join: SQL },
  { dialect }: SqlContext,
): SQL {
  const ids = dialect.joinIds(columnOf(link, 'target_id'), columnOf(link, 'position'))
  const from = sql`${sql.identifier(field.link.name)} ${sql.identifier(link)}${join}`
  return sql`(select ${ids} from ${from} where ${columnOf(link, 'source_id')} = ${columnOf(alias, 'id')})`
}

/** The entries that a field refers to and for which a condition holds. */
interface Relation {
  readonly field: ReferenceField
  /** Where the ids are in the JSON document of the field's column. */
  readonly at?: string
  readonly condition?: Condition
}

function relatedSql(relation: Relation, alias: string, deps: SqlContext): SQL {
  const own = ownCondition(relation, deps)
  if (own !== undefined) return comparisonSql(own, alias, deps.dialect)
  if (isHeldList(relation)) return heldListSql(relation, alias, deps)
  return deps.dialect.isRelated(leadingValue(relation, alias, deps.dialect), relatedRows(relation, deps))
}

function unrelatedSql(relation: Relation, alias: string, deps: SqlContext): SQL {
  const own = ownCondition(relation, deps)
  if (own !== undefined) return sql`(${comparisonSql(own, alias, deps.dialect)}) is not true`
  if (isHeldList(relation)) return sql`not ${heldListSql(relation, alias, deps)}`
  return deps.dialect.isUnrelated(leadingValue(relation, alias, deps.dialect), relatedRows(relation, deps))
}

type HeldList = Relation & { readonly field: ColumnField; readonly at: string }

/** Whether a component holds a list of ids. */
function isHeldList(relation: Relation): relation is HeldList {
  const { attribute } = relation.field
  return relation.at !== undefined && attribute !== undefined && isToMany(attribute)
}

function heldListSql(relation: HeldList, alias: string, deps: SqlContext): SQL {
  const { json, isRelated } = deps.dialect
  const item = deps.nextAlias()
  const ids = json.items(documentSql(relation.field, alias, deps.dialect), relation.at, item)
  return json.someItem(ids, isRelated(json.itemId(item), targetRows(relation, 'id', deps)))
}

/** For a comparison with the id of a to-one field: compares the foreign key itself, which has an index, instead of joining. */
function ownCondition({ field, at, condition }: Relation, deps: SqlContext): CompareCondition | undefined {
  const isOwn =
    at === undefined && isColumn(field) && isAboutId(condition) && !hidesSome(targetModel(field, deps), deps)
  return isOwn ? aboutColumn(condition, field.column) : undefined
}

function isAboutId(condition: Condition | undefined): condition is CompareCondition {
  return condition?.kind === 'compare' && condition.field.name === 'id'
}

function aboutColumn(condition: CompareCondition, column: string): CompareCondition {
  return { ...condition, field: { ...condition.field, column } }
}

function hidesSome({ type }: EntryModel, { visibility, dialect }: SqlContext): boolean {
  return visibleTargetWhere(type, '', visibility, dialect) !== undefined
}

/** The value of an entry that its related rows are joined on. */
function leadingValue({ field, at }: Relation, alias: string, dialect: Dialect): SQL {
  if (at !== undefined && isColumn(field)) {
    return dialect.json.value(documentSql(field, alias, dialect), at, 'id')
  }
  return columnOf(alias, isColumn(field) ? field.column : 'id')
}

function relatedRows(relation: Relation, deps: SqlContext): RelatedRows {
  const { field } = relation
  if (isColumn(field)) return targetRows(relation, 'id', deps)
  if (isLink(field))
    return linkedRows(relation, { table: field.link.name, own: 'source', other: 'target' }, deps)
  if (!field.owner.many) return targetRows(relation, field.owner.column, deps)
  const table = inverseLinkTable(field, field.owner, deps.schemas)
  return linkedRows(relation, { table, own: 'target', other: 'source' }, deps)
}

/** The related entries, looked up by one of their own columns. */
function targetRows(relation: Relation, key: string, deps: SqlContext): RelatedRows {
  const { from, alias, where } = targetOf(relation, deps)
  return { key: columnOf(alias, key), from, where }
}

/** A link table, and which of its sides the current entry is on. */
interface LinkSides {
  readonly table: string
  readonly own: 'source' | 'target'
  readonly other: 'source' | 'target'
}

/** The links to related entries; joins the entries themselves only if more than their ids is needed. */
function linkedRows(relation: Relation, { table, own, other }: LinkSides, deps: SqlContext): RelatedRows {
  const link = deps.nextAlias()
  const links = sql`${sql.identifier(table)} ${sql.identifier(link)}`
  const key = columnOf(link, `${own}_id`)
  const { field, condition } = relation
  const isVisible = !hidesSome(targetModel(field, deps), deps)
  if (isVisible && condition === undefined) return { key, from: links, where: sql`1 = 1` }
  if (isVisible && isAboutId(condition)) {
    const where = comparisonSql(aboutColumn(condition, `${other}_id`), link, deps.dialect)
    return { key, from: links, where }
  }
  const { from, alias, where } = targetOf(relation, deps)
  const isLinked = sql`${columnOf(alias, 'id')} = ${columnOf(link, `${other}_id`)}`
  return { key, from: sql`${links} join ${from} on ${isLinked}`, where }
}

function targetOf({ field, condition }: Relation, deps: SqlContext) {
  const target = targetModel(field, deps)
  const alias = deps.nextAlias()
  const conditions = [
    visibleTargetWhere(target.type, alias, deps.visibility, deps.dialect),
    condition === undefined ? undefined : conditionSql(condition, alias, deps),
  ].filter((part) => part !== undefined)
  return { alias, from: tableAs(target, alias), where: allOf(conditions) }
}
