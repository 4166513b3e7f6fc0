import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../../database/database.ts'
import type { RelationAttribute, Schemas } from '../../schemas/schemas.ts'
import {
  type ColumnField,
  type EntryModel,
  type InverseField,
  type LinkField,
  targetNameOf,
} from '../entry-model.ts'
import type { Condition, ReferenceField } from './condition.ts'
import { columnOf, type Visibility, visibleWhere } from './visibility.ts'

/** What turning a query into SQL needs to know. */
export interface SqlScope {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
  readonly dialect: Dialect
  readonly visibility: Visibility
  /** A table alias that the statement has not used yet. */
  nextAlias(): string
}

/** Makes a scope with fresh aliases, for one statement. */
export function sqlScope(base: Omit<SqlScope, 'nextAlias'>): SqlScope {
  let count = 0
  return { ...base, nextAlias: () => `t${++count}` }
}

/** The condition over the entries that `alias` stands for. */
export function conditionSql(condition: Condition, alias: string, scope: SqlScope): SQL {
  switch (condition.kind) {
    case 'and':
      return joined(condition.conditions, alias, scope, sql` and `, sql`1 = 1`)
    case 'or':
      return joined(condition.conditions, alias, scope, sql` or `, sql`1 = 0`)
    case 'not':
      // Not `not`: an unknown truth value, as comparing with null gives, must become true here.
      return sql`(${conditionSql(condition.condition, alias, scope)}) is not true`
    case 'compare':
      return comparisonSql(condition, alias, scope.dialect)
    case 'null':
      return nullSql(condition.field, alias, scope)
    case 'related':
      return relatedSql(condition.field, alias, scope, condition.condition)
  }
}

function joined(conditions: readonly Condition[], alias: string, scope: SqlScope, by: SQL, none: SQL): SQL {
  if (conditions.length === 0) return none
  const parts = conditions.map((condition) => sql`(${conditionSql(condition, alias, scope)})`)
  return sql.join(parts, by)
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
  if (!isColumn(field)) return sql`not ${relatedSql(field, alias, scope, undefined)}`
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
  const visible = visibleWhere(target.type, targetAlias, scope.visibility, scope.dialect)
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
  const visible = visibleWhere(target.type, targetAlias, scope.visibility, scope.dialect)
  const join =
    visible === undefined
      ? sql``
      : sql` join ${tableAs(target, targetAlias)} on ${columnOf(targetAlias, 'id')} = ${targetId} and ${visible}`
  const ids = scope.dialect.joinIds(targetId, columnOf(link, 'position'))
  const from = sql`${sql.identifier(field.link.name)} ${sql.identifier(link)}${join}`
  return sql`(select ${ids} from ${from} where ${columnOf(link, 'source_id')} = ${columnOf(alias, 'id')})`
}

/** `"table" "alias"` */
export function tableAs(model: EntryModel, alias: string): SQL {
  return sql`${sql.identifier(model.type.table)} ${sql.identifier(alias)}`
}

function targetModel(field: ReferenceField, scope: SqlScope): EntryModel {
  const attribute = field.attribute
  if (attribute?.type !== 'relation' && attribute?.type !== 'media') {
    throw new Error(`${field.name} leads to no other type`)
  }
  return scope.models.get(targetNameOf(attribute)) as EntryModel
}

function relatedSql(
  field: ReferenceField,
  alias: string,
  scope: SqlScope,
  condition: Condition | undefined,
): SQL {
  const target = targetModel(field, scope)
  const targetAlias = scope.nextAlias()
  const visible = visibleWhere(target.type, targetAlias, scope.visibility, scope.dialect)
  if (isColumn(field) && visible === undefined && isAboutId(condition)) {
    // The foreign key holds the id already, and has an index.
    return comparisonSql(
      { ...condition, field: { ...condition.field, column: field.column } },
      alias,
      scope.dialect,
    )
  }
  const conditions = [
    connection(field, alias, targetAlias, scope),
    visible,
    condition === undefined ? undefined : conditionSql(condition, targetAlias, scope),
  ].filter((part) => part !== undefined)
  const where = sql.join(
    conditions.map((part) => sql`(${part})`),
    sql` and `,
  )
  return sql`exists (select 1 from ${tableAs(target, targetAlias)} where ${where})`
}

function isAboutId(condition: Condition | undefined): condition is CompareCondition {
  return condition?.kind === 'compare' && condition.field.name === 'id'
}

/** What connects an entry with those that a field leads to. */
export function connection(field: ReferenceField, alias: string, targetAlias: string, scope: SqlScope): SQL {
  const id = columnOf(alias, 'id')
  const targetId = columnOf(targetAlias, 'id')
  if (isColumn(field)) return sql`${targetId} = ${columnOf(alias, field.column)}`
  if (isLink(field)) return linkExists(field.link.name, id, targetId, scope)
  return inverseConnection(field, id, targetAlias, scope)
}

function inverseConnection(field: InverseField, id: SQL, targetAlias: string, scope: SqlScope): SQL {
  if (!field.owner.many) return sql`${columnOf(targetAlias, field.owner.column)} = ${id}`
  const table = inverseLinkTable(field, field.owner, scope.schemas)
  return linkExists(table, columnOf(targetAlias, 'id'), id, scope)
}

/** The link table of the relation whose inverse side a field is. */
export function inverseLinkTable(field: InverseField, owner: RelationAttribute, schemas: Schemas): string {
  return schemas.linkTable(field.target, owner).name
}

function linkExists(table: string, source: SQL, target: SQL, scope: SqlScope): SQL {
  const link = scope.nextAlias()
  const matches = sql`${columnOf(link, 'source_id')} = ${source} and ${columnOf(link, 'target_id')} = ${target}`
  return sql`exists (select 1 from ${sql.identifier(table)} ${sql.identifier(link)} where ${matches})`
}
