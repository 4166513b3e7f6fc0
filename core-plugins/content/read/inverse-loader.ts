import { type SQL, sql } from 'drizzle-orm'
import type { Dialect, Queries, Row, Values } from '../../database/database.ts'
import type { EntryModel, InverseField } from '../entry-model.ts'
import { conditionSql, inverseLinkTable, sqlScope, tableAs } from '../query/condition-sql.ts'
import type { PickedEntries } from '../query/populate.ts'
import { orderSql } from '../query/sort.ts'
import { columnOf, visibleWhere } from '../query/visibility.ts'
import type { ReadScope, ReadVisibility } from './compiled-read.ts'
import { entryFromRow, entrySelect } from './entry-select.ts'

/** Under this name a row tells whose inverse field it belongs to. No attribute can have it. */
export const ownerKey = '__owner'
const positionKey = '__position'

/** decisions.md, 3: of the inverse side of a relation at most so many entries are shown, by id unless told otherwise. */
const maxInverseEntries = 100

export type InverseRow = Record<string, unknown> & { [ownerKey]: number }

/** Loads what an inverse field leads to, for many entries in one query. */
export type InverseLoader = (
  ids: readonly number[],
  queries: Queries,
  values: Values,
) => Promise<InverseRow[]>

const alias = 't0'
const linkAlias = 'l0'
const pageAlias = 'p0'
const idsSlot = 'ids'

export function compileInverseLoader(
  field: InverseField,
  picked: PickedEntries | undefined,
  visibility: ReadVisibility,
  scope: ReadScope,
): InverseLoader {
  const { dialect } = scope.database
  const model = scope.models.get(field.target.name) as EntryModel
  const tables = sqlScope({ ...scope, dialect, visibility })
  const { columns, kinds, linkNames, names } = entrySelect(model, alias, tables, picked?.fields)
  const { from, owner } = inverseSource(field, model, scope)
  const conditions = [
    dialect.inList(owner, idsSlot, 'id'),
    visibleWhere(model.type, alias, visibility, dialect),
    picked?.condition && sql`(${conditionSql(picked.condition, alias, tables)})`,
  ].filter((condition) => condition !== undefined)
  const order = picked?.sort === undefined ? columnOf(alias, 'id') : orderSql(picked.sort, alias, dialect)
  const position = sql`row_number() over (partition by ${owner} order by ${order})`
  const inner = sql`select ${columns}, ${owner} as ${sql.identifier(ownerKey)}, ${position} as ${sql.identifier(
    positionKey,
  )} from ${from} where ${sql.join(conditions, sql` and `)}`
  const shown = [...names, ownerKey].map((name) => columnOf(pageAlias, name))
  const query = sql`select ${sql.join(shown, sql`, `)} from (${inner}) ${sql.identifier(pageAlias)} where ${pageWhere(
    picked,
    dialect,
  )} order by ${columnOf(pageAlias, ownerKey)}, ${columnOf(pageAlias, positionKey)}`
  const statement = scope.database.prepare<Row>(query, { ...kinds, [ownerKey]: 'id' })
  return async (ids, queries, values) => {
    const rows = await queries.all(statement, { ...values, [idsSlot]: dialect.list(ids, 'id') })
    return rows.map((row) => entryFromRow(row, linkNames) as unknown as InverseRow)
  }
}

/** Which of the entries of each owner are shown. */
function pageWhere(picked: PickedEntries | undefined, dialect: Dialect): SQL {
  const place = columnOf(pageAlias, positionKey)
  const count = (slot: string | undefined, fallback: number) =>
    slot === undefined ? sql.raw(String(fallback)) : dialect.placeholder(slot, 'integer')
  const offset = count(picked?.offsetSlot, 0)
  return sql`${place} > ${offset} and ${place} <= ${offset} + ${count(picked?.limitSlot, maxInverseEntries)}`
}

/** Where the related entries come from, and the column that tells whose they are. */
function inverseSource(field: InverseField, model: EntryModel, scope: ReadScope): { from: SQL; owner: SQL } {
  const target = tableAs(model, alias)
  if (!field.owner.many) return { from: target, owner: columnOf(alias, field.owner.column) }
  const link = sql.identifier(inverseLinkTable(field, field.owner, scope.schemas))
  const isLinked = sql`${columnOf(linkAlias, 'source_id')} = ${columnOf(alias, 'id')}`
  return {
    from: sql`${link} ${sql.identifier(linkAlias)} join ${target} on ${isLinked}`,
    owner: columnOf(linkAlias, 'target_id'),
  }
}
