import { type SQL, sql } from 'drizzle-orm'
import type { Principal } from '../../http/http.ts'
import { isReference, targetNameOf } from '../../schemas/schemas.ts'
import type { EntryModel } from '../entry-model.ts'
import type { ReferenceField } from '../query/condition.ts'
import { conditionSql, referenceSql } from '../query/condition-sql.ts'
import { canonicalFieldName } from '../query/filters.ts'
import { parseSelectionQuery, type ReadQuery } from '../query/read-query.ts'
import { type SqlContext, sqlContext, tableAs } from '../query/sql-context.ts'
import { columnOf, nowSlot, visibleTargetWhere } from '../query/visibility.ts'
import type {
  EntryField,
  EntrySelection,
  SelectionRequest,
  SelectionSql,
} from '../services/entry-selection.ts'
import { assertAllowed, assertReadable, parseFor, visibilityKey, visibilityOf } from './caller.ts'
import { alias, bindSlots, listConditions } from './compiled-read.ts'
import { observeSelection } from './observe-references.ts'
import type { PlanDeps } from './read-plans.ts'

export interface Selections {
  /** @throws AppError 400, 403 */
  select(model: EntryModel, request: SelectionRequest): EntrySelection
}

/** Undefined if there is no such field, or it is not exposed. */
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

export function createSelections(deps: PlanDeps): Selections {
  const { database, auth } = deps
  const { dialect } = database

  function sqlOf(query: ReadQuery, principal: Principal): SelectionSql {
    const visibility = visibilityOf(principal, query.touchedTypes, auth)
    const tables = sqlContext({ ...deps, dialect, visibility })
    const conditions = listConditions(query, visibility, tables)
    return {
      from: tableAs(query.model, alias),
      where: conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` and `),
      value: (field) => valueSql(query.model, field, tables),
      reference: (field) => referenceParts(query.model, field, tables),
      isSet: (field) => sql`(${conditionSql(isNull(query.model, field), alias, tables)}) is not true`,
      links: (field) => linksSql(query.model, field, tables),
    }
  }

  return {
    select(model, { rawQuery, principal, recipient, ownParameters, fields = [], ...asked }) {
      const targets = fields.flatMap(({ target }) => target ?? [])
      assertReadable(targets, principal, deps)
      // Selections have no pages, so page limits do not matter.
      const { problems = [], withoutFilterOn, populates = false } = asked
      const options = {
        ...deps,
        ownParameters,
        problems,
        withoutFilterOn,
        populates,
        defaultLimit: 0,
        maxLimit: 0,
      }
      const query = parseFor(principal, deps, () => parseSelectionQuery(rawQuery, model, options))
      assertAllowed(query, principal, deps)
      observeSelection(query, visibilityOf(principal, query.touchedTypes, auth), targets, recipient)
      const now = dialect.bind(new Date().toISOString(), 'datetime')
      return {
        key: `${model.type.name} ${visibilityKey(principal, query.touchedTypes, auth)} ${query.shape}`,
        values: { ...bindSlots(query.slots, database), [nowSlot]: now },
        weight: query.weight,
        sql: () => sqlOf(query, principal),
      }
    },
  }
}

function valueSql(model: EntryModel, { name }: EntryField, deps: SqlContext): SQL {
  const field = model.columns.get(name)
  if (field === undefined) throw new Error(`${model.type.name}.${name} has no single value`)
  return field.kind === 'reference' ? referenceSql(field, alias, deps) : columnOf(alias, field.column)
}

function referenceParts(model: EntryModel, { name }: EntryField, deps: SqlContext) {
  const field = model.columns.get(name)
  const target = isReference(field?.attribute) ? deps.models.get(targetNameOf(field.attribute)) : undefined
  if (field === undefined || target === undefined) throw new Error(`${model.type.name}.${name} is not one id`)
  return {
    stored: columnOf(alias, field.column),
    // A subselect in its place fails on MariaDB when the statement runs again, since it looks into a derived table.
    shown(stored: SQL) {
      const targetAlias = deps.nextAlias()
      const id = columnOf(targetAlias, 'id')
      const visible =
        visibleTargetWhere(target.type, targetAlias, deps.visibility, deps.dialect) ?? sql`1 = 1`
      return { join: sql` left join ${tableAs(target, targetAlias)} on ${id} = ${stored} and ${visible}`, id }
    },
  }
}

function isNull(model: EntryModel, { name }: EntryField) {
  const field: ReferenceField | undefined =
    model.columns.get(name) ?? model.links.get(name) ?? model.inverses.get(name)
  if (field === undefined) throw new Error(`${model.type.name} has no field ${name}`)
  return { kind: 'null', field } as const
}

function linksSql(model: EntryModel, { name }: EntryField, deps: SqlContext): { join: SQL; id: SQL } {
  const field = model.links.get(name)
  const target = deps.models.get(field?.link.target.name ?? '')
  if (field === undefined || target === undefined)
    throw new Error(`${model.type.name}.${name} is not a list of ids`)
  const [link, targetAlias] = [deps.nextAlias(), deps.nextAlias()]
  const [source, id] = [columnOf(link, 'source_id'), columnOf(targetAlias, 'id')]
  const visible = visibleTargetWhere(target.type, targetAlias, deps.visibility, deps.dialect) ?? sql`1 = 1`
  const linked = sql`${sql.identifier(field.link.name)} ${sql.identifier(link)} join ${tableAs(target, targetAlias)}
    on ${id} = ${columnOf(link, 'target_id')} and ${visible}`
  return { join: sql` left join (${linked}) on ${source} = ${columnOf(alias, 'id')}`, id }
}
