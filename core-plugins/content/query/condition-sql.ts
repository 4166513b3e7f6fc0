import { type SQL, sql } from 'drizzle-orm'
import type { Dialect, RelatedRows } from '../../database/database.ts'
import type { ColumnField, EntryModel, LinkField } from '../entry-model.ts'
import type { Condition, ReferenceField } from './condition.ts'
import { inverseLinkTable, type SqlScope, tableAs, targetModel } from './sql-scope.ts'
import { columnOf, visibleTargetWhere } from './visibility.ts'

/** The condition over the entries that `alias` stands for. */
export function conditionSql(condition: Condition, alias: string, scope: SqlScope): SQL {
  switch (condition.kind) {
    case 'and':
      return allOf(condition.conditions.map((part) => conditionSql(part, alias, scope)))
    case 'or':
      return anyOf(condition.conditions.map((part) => conditionSql(part, alias, scope)))
    case 'not':
      return oppositeSql(condition.condition, alias, scope)
    case 'compare':
      return comparisonSql(condition, alias, scope.dialect)
    case 'null':
      return nullSql(condition.field, alias, scope)
    case 'related':
      return relatedSql(condition, alias, scope)
  }
}

/** Holds where the condition does not, and is said of its parts: the opposite of a relation can be a join. */
function oppositeSql(condition: Condition, alias: string, scope: SqlScope): SQL {
  switch (condition.kind) {
    case 'and':
      return anyOf(condition.conditions.map((part) => oppositeSql(part, alias, scope)))
    case 'or':
      return allOf(condition.conditions.map((part) => oppositeSql(part, alias, scope)))
    case 'related':
      return unrelatedSql(condition, alias, scope)
    default:
      // Not `not`: an unknown truth value, as comparing with null gives, must become true here.
      return sql`(${conditionSql(condition, alias, scope)}) is not true`
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

function comparisonSql({ field, comparison, slots }: CompareCondition, alias: string, dialect: Dialect): SQL {
  const column = columnOf(alias, field.column)
  const values = slots.map((slot) => dialect.placeholder(slot, field.kind))
  const [value = sql`null`, upper = sql`null`] = values
  switch (comparison) {
    case 'eq':
      return sql`${column} = ${value}`
    case 'lt':
      return sql`${column} < ${value}`
    case 'lte':
      return sql`${column} <= ${value}`
    case 'gt':
      return sql`${column} > ${value}`
    case 'gte':
      return sql`${column} >= ${value}`
    case 'between':
      return sql`${column} between ${value} and ${upper}`
    case 'in':
      return dialect.inList(column, slots[0] ?? '', field.kind)
    case 'eqi':
      return sql`${dialect.fold(column)} = ${dialect.fold(value)}`
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return dialect[comparison](column, value)
    case 'containsi':
      return dialect.contains(dialect.fold(column), dialect.fold(value))
    case 'startsWithi':
      return dialect.startsWith(dialect.fold(column), dialect.fold(value))
    case 'endsWithi':
      return dialect.endsWith(dialect.fold(column), dialect.fold(value))
  }
}

function isColumn(field: ReferenceField): field is ColumnField {
  return 'column' in field
}

function isLink(field: ReferenceField): field is LinkField {
  return 'link' in field
}

/** A relation is null where it leads to nothing that the caller may see. */
function nullSql(field: ReferenceField, alias: string, scope: SqlScope): SQL {
  if (!isColumn(field)) return unrelatedSql({ field }, alias, scope)
  const isScalar = field.attribute?.type !== 'relation' && field.attribute?.type !== 'media'
  return isScalar
    ? sql`${columnOf(alias, field.column)} is null`
    : sql`${referenceSql(field, alias, scope)} is null`
}

/** The id in a to-one field, or null where the entry it names is hidden from the caller. */
export function referenceSql(field: ColumnField, alias: string, scope: SqlScope): SQL {
  const column = columnOf(alias, field.column)
  const target = targetModel(field, scope)
  const targetAlias = scope.nextAlias()
  const visible = visibleTargetWhere(target.type, targetAlias, scope.visibility, scope.dialect)
  if (visible === undefined) return column
  const id = columnOf(targetAlias, 'id')
  return sql`(select ${id} from ${tableAs(target, targetAlias)} where ${id} = ${column} and ${visible})`
}

/** The ids of an owning to-many field in their order, joined by commas; null for none. */
export function linkedIdsSql(field: LinkField, alias: string, scope: SqlScope): SQL {
  const link = scope.nextAlias()
  const targetAlias = scope.nextAlias()
  const target = scope.models.get(field.link.target.name) as EntryModel
  const targetId = columnOf(link, 'target_id')
  const visible = visibleTargetWhere(target.type, targetAlias, scope.visibility, scope.dialect)
  const join =
    visible === undefined
      ? sql``
      : sql` join ${tableAs(target, targetAlias)} on ${columnOf(targetAlias, 'id')} = ${targetId} and ${visible}`
  const ids = scope.dialect.joinIds(targetId, columnOf(link, 'position'))
  const from = sql`${sql.identifier(field.link.name)} ${sql.identifier(link)}${join}`
  return sql`(select ${ids} from ${from} where ${columnOf(link, 'source_id')} = ${columnOf(alias, 'id')})`
}

/** What a field leads to, as far as a condition holds for it. */
interface Relation {
  readonly field: ReferenceField
  readonly condition?: Condition
}

function relatedSql(relation: Relation, alias: string, scope: SqlScope): SQL {
  const own = ownCondition(relation, scope)
  if (own !== undefined) return comparisonSql(own, alias, scope.dialect)
  return scope.dialect.isRelated(leadingValue(relation, alias), relatedRows(relation, scope))
}

function unrelatedSql(relation: Relation, alias: string, scope: SqlScope): SQL {
  const own = ownCondition(relation, scope)
  if (own !== undefined) return sql`(${comparisonSql(own, alias, scope.dialect)}) is not true`
  return scope.dialect.isUnrelated(leadingValue(relation, alias), relatedRows(relation, scope))
}

/** A foreign key holds the id that is asked for already, and has an index. */
function ownCondition({ field, condition }: Relation, scope: SqlScope): CompareCondition | undefined {
  const isOwn = isColumn(field) && isAboutId(condition) && !hidesSome(targetModel(field, scope), scope)
  return isOwn ? aboutColumn(condition, field.column) : undefined
}

function isAboutId(condition: Condition | undefined): condition is CompareCondition {
  return condition?.kind === 'compare' && condition.field.name === 'id'
}

function aboutColumn(condition: CompareCondition, column: string): CompareCondition {
  return { ...condition, field: { ...condition.field, column } }
}

function hidesSome({ type }: EntryModel, { visibility, dialect }: SqlScope): boolean {
  return visibleTargetWhere(type, '', visibility, dialect) !== undefined
}

/** The value of an entry by which it leads to others. */
function leadingValue({ field }: Relation, alias: string): SQL {
  return columnOf(alias, isColumn(field) ? field.column : 'id')
}

function relatedRows(relation: Relation, scope: SqlScope): RelatedRows {
  const { field } = relation
  if (isColumn(field)) return targetRows(relation, 'id', scope)
  if (isLink(field))
    return linkedRows(relation, { table: field.link.name, own: 'source', other: 'target' }, scope)
  if (!field.owner.many) return targetRows(relation, field.owner.column, scope)
  const table = inverseLinkTable(field, field.owner, scope.schemas)
  return linkedRows(relation, { table, own: 'target', other: 'source' }, scope)
}

/** The related entries, by one of their own columns. */
function targetRows(relation: Relation, key: string, scope: SqlScope): RelatedRows {
  const { from, alias, where } = targetOf(relation, scope)
  return { key: columnOf(alias, key), from, where }
}

/** A link table, and which of its sides the entry at hand is. */
interface LinkSides {
  readonly table: string
  readonly own: 'source' | 'target'
  readonly other: 'source' | 'target'
}

/** The links to related entries; the entries themselves are looked at only where more than their ids counts. */
function linkedRows(relation: Relation, { table, own, other }: LinkSides, scope: SqlScope): RelatedRows {
  const link = scope.nextAlias()
  const links = sql`${sql.identifier(table)} ${sql.identifier(link)}`
  const key = columnOf(link, `${own}_id`)
  const { field, condition } = relation
  const isVisible = !hidesSome(targetModel(field, scope), scope)
  if (isVisible && condition === undefined) return { key, from: links, where: sql`1 = 1` }
  if (isVisible && isAboutId(condition)) {
    const where = comparisonSql(aboutColumn(condition, `${other}_id`), link, scope.dialect)
    return { key, from: links, where }
  }
  const { from, alias, where } = targetOf(relation, scope)
  const isLinked = sql`${columnOf(alias, 'id')} = ${columnOf(link, `${other}_id`)}`
  return { key, from: sql`${links} join ${from} on ${isLinked}`, where }
}

function targetOf({ field, condition }: Relation, scope: SqlScope) {
  const target = targetModel(field, scope)
  const alias = scope.nextAlias()
  const conditions = [
    visibleTargetWhere(target.type, alias, scope.visibility, scope.dialect),
    condition === undefined ? undefined : conditionSql(condition, alias, scope),
  ].filter((part) => part !== undefined)
  return { alias, from: tableAs(target, alias), where: allOf(conditions) }
}
