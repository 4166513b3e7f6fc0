import { type SQL, sql } from 'drizzle-orm'
import type { Principal } from '../../../foundation/http/http.ts'
import { isReference, targetNameOf } from '../../../foundation/schemas/schemas.ts'
import type { ColumnField, EntryModel } from '../entry/entry-model.ts'
import { type Condition, holdsItems, type ReferenceField } from '../query/condition.ts'
import { conditionSql, referenceSql } from '../query/condition-sql.ts'
import { negate, nothing } from '../query/filter-place.ts'
import { canonicalFieldName } from '../query/filters.ts'
import { type BoundInner, bindInner, resolveInner, shapeOfInner } from '../query/inner-field.ts'
import { innerRows } from '../query/inner-sql.ts'
import { parseSelectionQuery, type ReadQuery } from '../query/read-query.ts'
import { touchedTypes } from '../query/referenced-types.ts'
import { valuesReader } from '../query/restriction.ts'
import { type SqlContext, sqlContext, tableAs } from '../query/sql-context.ts'
import { columnOf, nowSlot, shownColumn, visibleTargetWhere } from '../query/visibility.ts'
import { weightOfInner } from '../query/weight.ts'
import type {
  EntryField,
  EntrySelection,
  FieldInside,
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
  fieldInside(model: EntryModel, name: string): FieldInside
}

/** Like JSON, fields with a pending conversion cannot be grouped or aggregated. */
const kindOf = (column: ColumnField | undefined) =>
  column?.held?.() === undefined ? (column?.kind ?? 'reference') : 'json'

/** Undefined if the type has no such field or does not expose it. */
export function visibleField(model: EntryModel, name: string): EntryField | undefined {
  const canonical = canonicalFieldName(name)
  const column = model.columns.get(canonical)
  const field = column ?? model.links.get(canonical) ?? model.inverses.get(canonical)
  if (field === undefined) return undefined
  const target = isReference(field.attribute) ? targetNameOf(field.attribute) : undefined
  const place = placeOf(model, canonical)
  return { name: canonical, place, kind: kindOf(column), target, path: [canonical], weight: 0 }
}

function fieldInside(model: EntryModel, name: string, deps: PlanDeps): FieldInside {
  const lookedInto = new Set<string>()
  const found = resolveInner(name, model, { ...deps, lookedInto })
  if ('problem' in found) {
    return { problem: { code: found.code, message: found.problem }, lookedInto: [...lookedInto] }
  }
  const { kind, target, path } = found
  const field = {
    name: path.join('.'),
    place: 'inside',
    kind,
    target,
    path,
    weight: weightOfInner(found),
  } as const
  return { field, lookedInto: [...lookedInto] }
}

function placeOf({ columns, links }: EntryModel, name: string): EntryField['place'] {
  const column = columns.get(name)
  if (column !== undefined) return column.kind === 'reference' ? 'reference' : 'value'
  return links.has(name) ? 'links' : 'inverse'
}

export function createSelections(deps: PlanDeps): Selections {
  const { database, auth } = deps
  const { dialect } = database

  /** Binds the fields with place `inside`; their keys become values of the query. */
  function bindInside({ model, slots }: ReadQuery, fields: readonly EntryField[]): BoundFields {
    const lookedInto = new Set<string>()
    const inside = fields.filter(({ place }) => place === 'inside')
    const bound = inside.map(({ name }): [string, BoundInner] => {
      const found = resolveInner(name, model, { ...deps, lookedInto })
      if ('problem' in found) throw new Error(`${model.type.name}.${name}: ${found.problem}`)
      return [name, bindInner(found, slots)]
    })
    return { byName: new Map(bound), lookedInto }
  }

  function sqlOf(query: ReadQuery, { byName }: BoundFields, principal: Principal): SelectionSql {
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
      inside({ name }) {
        const bound = byName.get(name)
        if (bound === undefined) throw new Error(`${name} is not among the fields of the selection`)
        return { entry: columnOf(alias, 'id'), ...innerRows(bound, alias, tables) }
      },
    }
  }

  return {
    fieldInside: (model, name) => fieldInside(model, name, deps),
    select(model, request) {
      const { principal, recipient, fields = [], lookedInto = [] } = request
      const targets = [...new Set([...fields.flatMap(({ target }) => target ?? []), ...lookedInto])]
      assertReadable(targets, principal, deps)
      const parsed = parseFor(principal, deps, () => parseRequest(model, request, deps))
      assertAllowed(parsed, principal, deps)
      const inside = bindInside(parsed, fields)
      const looked = [...targets, ...inside.lookedInto]
      assertReadable(looked, principal, deps)
      const query = { ...parsed, touchedTypes: allTouched(parsed, inside, deps) }
      observeSelection(query, visibilityOf(principal, query.touchedTypes, auth), looked, recipient)
      const now = dialect.bind(new Date().toISOString(), 'datetime')
      const shapes = [query.shape, ...[...inside.byName.values()].map(shapeOfInner)]
      return {
        key: `${model.type.name} ${visibilityKey(principal, query.touchedTypes, auth)} ${shapes.join(' ')}`,
        values: { ...bindSlots(query.slots, database), [nowSlot]: now },
        readValues: valuesReader(query.restrictions, dialect),
        weight: query.weight,
        sql: () => sqlOf(query, inside, principal),
      }
    },
  }
}

interface BoundFields {
  readonly byName: ReadonlyMap<string, BoundInner>
  readonly lookedInto: ReadonlySet<string>
}

function parseRequest(model: EntryModel, request: SelectionRequest, deps: PlanDeps): ReadQuery {
  const { rawQuery, ownParameters, problems = [], withoutFilterOn, populates = false } = request
  // Selections have no pages, so page limits do not matter.
  const limits = { defaultLimit: 0, maxLimit: 0 }
  const options = { ...deps, ...limits, ownParameters, problems, withoutFilterOn, populates }
  return parseSelectionQuery(rawQuery, model, options)
}

/** Includes the types that the inside fields pass through, and the types that those refer to. */
function allTouched(
  { touchedTypes: types, model, populate }: ReadQuery,
  { lookedInto }: BoundFields,
  deps: PlanDeps,
) {
  if (lookedInto.size === 0) return types
  return [...new Set([...types, ...touchedTypes(model, { lookedInto, populate }, deps)])]
}

function valueSql(model: EntryModel, { name }: EntryField, deps: SqlContext): SQL {
  const field = model.columns.get(name)
  if (field === undefined) throw new Error(`${model.type.name}.${name} has no single value`)
  return field.kind === 'reference' ? referenceSql(field, alias, deps) : shownColumn(alias, field)
}

function referenceParts(model: EntryModel, { name }: EntryField, deps: SqlContext) {
  const field = model.columns.get(name)
  const target = isReference(field?.attribute) ? deps.models.get(targetNameOf(field.attribute)) : undefined
  if (field === undefined || target === undefined) throw new Error(`${model.type.name}.${name} is not one id`)
  return {
    stored: columnOf(alias, field.column),
    // A join, because on MariaDB a subselect over a derived table fails when the statement runs again.
    shown(stored: SQL) {
      const targetAlias = deps.nextAlias()
      const id = columnOf(targetAlias, 'id')
      const visible =
        visibleTargetWhere(target.type, targetAlias, deps.visibility, deps.dialect) ?? sql`1 = 1`
      return { join: sql` left join ${tableAs(target, targetAlias)} on ${id} = ${stored} and ${visible}`, id }
    },
  }
}

function isNull(model: EntryModel, { name }: EntryField): Condition {
  const field: ReferenceField | undefined =
    model.columns.get(name) ?? model.links.get(name) ?? model.inverses.get(name)
  if (field === undefined) throw new Error(`${model.type.name} has no field ${name}`)
  if ('column' in field && holdsItems(field))
    return negate({ kind: 'items', field, isList: true, condition: nothing })
  return { kind: 'null', field }
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
