import { type SQL, sql } from 'drizzle-orm'
import type { ColumnKind, Values } from '../../database/database.ts'
import type { ErrorDetail, Principal } from '../../http/http.ts'
import { type EntryModel, isReference, targetNameOf } from '../entry-model.ts'
import type { ReferenceField } from '../query/condition.ts'
import { conditionSql, referenceSql } from '../query/condition-sql.ts'
import { canonicalFieldName } from '../query/filters.ts'
import { parseSelectionQuery, type ReadQuery } from '../query/read-query.ts'
import { type SqlScope, sqlScope, tableAs } from '../query/sql-scope.ts'
import { columnOf, nowSlot, visibleTargetWhere } from '../query/visibility.ts'
import { parseFor, refuseForbidden, refuseUnreadable, visibilityKey, visibilityOf } from './caller.ts'
import { alias, bindSlots, listConditions } from './compiled-read.ts'
import type { PlanScope } from './read-plans.ts'

/** A field of a type that callers may name. */
export interface EntryField {
  /** As the API shows it, whatever alias it was asked for by. */
  readonly name: string
  /**
   * `value`: one value of kind `kind`; `reference`: the id in a to-one relation or single media; `links`: the ids
   * of an owning to-many relation or several media; `inverse`: the other side of a relation.
   */
  readonly place: 'value' | 'reference' | 'links' | 'inverse'
  readonly kind: ColumnKind
  /** The type that it leads to, if any. */
  readonly target: string | undefined
}

export interface SelectionRequest {
  /** Singular name of the type. */
  readonly type: string
  /** `filters`, `published`, `search`, `searchFields` and `deleted` mean what they mean in a list. */
  readonly rawQuery: string
  readonly principal: Principal
  /** Fields that the plugin looks at besides: the caller must be allowed to read the types that they lead to. */
  readonly fields?: readonly EntryField[]
  /** Names of the parameters that the plugin reads by itself; any others are refused. */
  readonly ownParameters: readonly string[]
  /** What it has found wrong with them, to be told together with what else is wrong. */
  readonly problems?: readonly ErrorDetail[]
}

/** Entries of one type, as far as a caller may see them. */
export interface EntrySelection {
  /** Equal where the SQL is: a statement that is made for one selection can be kept for others. */
  readonly key: string
  /** What to bind, besides values of the plugin's own; their names begin with another letter than `v` and `n`. */
  readonly values: Values
  sql(): SelectionSql
}

/** The pieces of a statement over a selection. */
export interface SelectionSql {
  /** A table, to which `links` adds others. */
  readonly from: SQL
  /** Holds for the entries of the selection. */
  readonly where: SQL
  /** The value of a field in place `value`, or the id in one in place `reference`: null where the caller may not see it. */
  value(field: EntryField): SQL
  /** Holds where `filters[field][$notNull]=true` does. */
  isSet(field: EntryField): SQL
  /** For a field in place `links`: a join that makes one row of each id, or one without, and the id. */
  links(field: EntryField): { readonly join: SQL; readonly id: SQL }
}

export interface Selections {
  /** @throws AppError 400, 403 */
  select(model: EntryModel, request: SelectionRequest): EntrySelection
}

/** Undefined where there is no such field, or none that leaves the service. */
export function visibleField(model: EntryModel, name: string): EntryField | undefined {
  const canonical = canonicalFieldName(name)
  const column = model.columns.get(canonical)
  const field = column ?? model.links.get(canonical) ?? model.inverses.get(canonical)
  if (field === undefined) return undefined
  const target = isReference(field.attribute) ? targetNameOf(field.attribute) : undefined
  const place = placeOf(model, canonical)
  return { name: canonical, place, kind: column?.kind ?? 'reference', target }
}

function placeOf({ columns, links }: EntryModel, name: string): EntryField['place'] {
  const column = columns.get(name)
  if (column !== undefined) return column.kind === 'reference' ? 'reference' : 'value'
  return links.has(name) ? 'links' : 'inverse'
}

export function createSelections(scope: PlanScope): Selections {
  const { database, auth } = scope
  const { dialect } = database

  function sqlOf(query: ReadQuery, principal: Principal): SelectionSql {
    const visibility = visibilityOf(principal, query.touchedTypes, auth)
    const tables = sqlScope({ ...scope, dialect, visibility })
    const conditions = listConditions(query, visibility, tables)
    return {
      from: tableAs(query.model, alias),
      where: conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `),
      value: (field) => valueSql(query.model, field, tables),
      isSet: (field) => sql`(${conditionSql(isNull(query.model, field), alias, tables)}) is not true`,
      links: (field) => linksSql(query.model, field, tables),
    }
  }

  return {
    select(model, { rawQuery, principal, ownParameters, fields = [], problems = [] }) {
      const targets = fields.flatMap(({ target }) => target ?? [])
      refuseUnreadable(targets, principal, scope)
      // Pages are not asked for, so their limits do not matter.
      const options = { ...scope, ownParameters, problems, defaultLimit: 0, maxLimit: 0 }
      const query = parseFor(principal, scope, () => parseSelectionQuery(rawQuery, model, options))
      refuseForbidden(query, principal, scope)
      const now = dialect.bind(new Date().toISOString(), 'datetime')
      return {
        key: `${model.type.name} ${visibilityKey(principal, query.touchedTypes, auth)} ${query.shape}`,
        values: { ...bindSlots(query.slots, database), [nowSlot]: now },
        sql: () => sqlOf(query, principal),
      }
    },
  }
}

function valueSql(model: EntryModel, { name }: EntryField, scope: SqlScope): SQL {
  const field = model.columns.get(name)
  if (field === undefined) throw new Error(`${model.type.name}.${name} has no single value`)
  return field.kind === 'reference' ? referenceSql(field, alias, scope) : columnOf(alias, field.column)
}

function isNull(model: EntryModel, { name }: EntryField) {
  const field: ReferenceField | undefined =
    model.columns.get(name) ?? model.links.get(name) ?? model.inverses.get(name)
  if (field === undefined) throw new Error(`${model.type.name} has no field ${name}`)
  return { kind: 'null', field } as const
}

function linksSql(model: EntryModel, { name }: EntryField, scope: SqlScope): { join: SQL; id: SQL } {
  const field = model.links.get(name)
  const target = scope.models.get(field?.link.target.name ?? '')
  if (field === undefined || target === undefined)
    throw new Error(`${model.type.name}.${name} is no list of ids`)
  const [link, targetAlias] = [scope.nextAlias(), scope.nextAlias()]
  const [source, id] = [columnOf(link, 'source_id'), columnOf(targetAlias, 'id')]
  const visible = visibleTargetWhere(target.type, targetAlias, scope.visibility, scope.dialect) ?? sql`1 = 1`
  const linked = sql`${sql.identifier(field.link.name)} ${sql.identifier(link)} join ${tableAs(target, targetAlias)}
    on ${id} = ${columnOf(link, 'target_id')} and ${visible}`
  return { join: sql` left join (${linked}) on ${source} = ${columnOf(alias, 'id')}`, id }
}
