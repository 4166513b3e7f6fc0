import { type SQL, sql } from 'drizzle-orm'
import type { Awaitable } from '../../../kernel/index.ts'
import type { Dialect } from '../../database/database.ts'
import type { EntryModel, InverseField } from '../entry-model.ts'
import { conditionSql } from '../query/condition-sql.ts'
import type { PickedEntries } from '../query/populate.ts'
import { orderSql } from '../query/sort.ts'
import { inverseLinkTable, type SqlContext, sqlContext, tableAs } from '../query/sql-context.ts'
import { columnOf, type Visibility, visibleWhere } from '../query/visibility.ts'
import { isCostlyPick } from '../query/weight.ts'
import type { LoaderRun } from './loader.ts'
import type { ReadDeps } from './read-deps.ts'

/**
 * The limit of entries shown on the inverse side of a relation, by id unless a sort is given; see
 * docs/content-api.md.
 */
const maxInverseEntries = 100

/** The id of an entry that an inverse field refers to, and that of the entry with the field. */
export interface OwnedId {
  readonly owner: number
  readonly id: number
}

/**
 * Finds what an inverse field refers to, for many entries in one query, in the order in which each shows it.
 */
export type InverseIds = (owners: readonly number[], run: LoaderRun) => Awaitable<OwnedId[]>

const alias = 't0'
const linkAlias = 'l0'
const idsSlot = 'ids'

/**
 * Reads only ids until it is known which entries are shown: an author may have a hundred thousand articles.
 */
export function compileInverseIds(
  field: InverseField,
  picked: PickedEntries | undefined,
  visibility: Visibility,
  deps: ReadDeps,
): InverseIds {
  const { dialect } = deps.database
  const ranked = rankedSql(field, picked, sqlContext({ ...deps, dialect, visibility }), deps)
  const text = sql`select ${named('owner')}, ${named('id')} from (${ranked}) ranked
    where ${pageWhere(picked, dialect)} order by ${named('owner')}, ${named('place')}`
  const options = { isCostly: isCostlyPick(picked?.condition, picked?.sort) }
  const statement = deps.database.prepare<OwnedId>(text, { owner: 'id', id: 'id' }, options)
  return (owners, { queries, values, recipient }) =>
    queries.all(statement, { ...values, [idsSlot]: dialect.list(owners, 'id') }, recipient)
}

/** How many entries an inverse field refers to, whatever the page. */
export interface OwnedTotal {
  readonly owner: number
  readonly total: number
}

/** Counts what an inverse field refers to, for many entries in one query; those of which there are none are left out. */
export type InverseTotals = (owners: readonly number[], run: LoaderRun) => Awaitable<OwnedTotal[]>

export function compileInverseTotals(
  field: InverseField,
  picked: PickedEntries,
  visibility: Visibility,
  deps: ReadDeps,
): InverseTotals {
  const { dialect } = deps.database
  const { from, owner, where } = ownedSql(field, picked, sqlContext({ ...deps, dialect, visibility }), deps)
  const text = sql`select ${owner} as ${named('owner')}, count(*) as ${named('total')}
    from ${from} where ${where} group by ${owner}`
  const options = { isCostly: isCostlyPick(picked.condition) }
  const statement = deps.database.prepare<OwnedTotal>(text, { owner: 'id', total: 'integer' }, options)
  return (owners, { queries, values, recipient }) =>
    queries.all(statement, { ...values, [idsSlot]: dialect.list(owners, 'id') }, recipient)
}

const named = (name: 'owner' | 'id' | 'place' | 'total') => sql.identifier(name)

/** Everything that the field refers to, ranked among the entries of the same owner. */
function rankedSql(
  field: InverseField,
  picked: PickedEntries | undefined,
  tables: SqlContext,
  deps: ReadDeps,
): SQL {
  const { from, owner, id, where } = ownedSql(field, picked, tables, deps)
  const order = picked?.sort === undefined ? id : orderSql(picked.sort, alias, tables)
  return sql`select ${id} as ${named('id')}, ${owner} as ${named('owner')},
    row_number() over (partition by ${owner} order by ${order}) as ${named('place')}
    from ${from} where ${where}`
}

/** The visible and picked entries of the owners whose ids are bound. */
function ownedSql(
  field: InverseField,
  picked: PickedEntries | undefined,
  tables: SqlContext,
  deps: ReadDeps,
): InverseSource & { readonly where: SQL } {
  const { dialect, visibility } = tables
  const model = deps.models.get(field.target.name) as EntryModel
  const shown = [visibleWhere(model.type, alias, visibility, dialect), pickedWhere(picked, tables)]
  const further = shown.filter((condition) => condition !== undefined)
  const isById = picked?.sort === undefined && further.length === 0
  const source = inverseSource(field, { model, isById }, deps)
  const where = sql.join([dialect.inList(source.owner, idsSlot, 'id'), ...further], sql` and `)
  return { ...source, where }
}

function pickedWhere(picked: PickedEntries | undefined, deps: SqlContext): SQL | undefined {
  return picked?.condition && sql`(${conditionSql(picked.condition, alias, deps)})`
}

/** Which of the entries of each owner are shown. */
function pageWhere(picked: PickedEntries | undefined, dialect: Dialect): SQL {
  const place = named('place')
  const count = (slot: string | undefined, fallback: number) =>
    slot === undefined ? sql.raw(String(fallback)) : dialect.placeholder(slot, 'integer')
  const offset = count(picked?.offsetSlot, 0)
  return sql`${place} > ${offset} and ${place} <= ${offset} + ${count(picked?.limitSlot, maxInverseEntries)}`
}

interface Ranked {
  readonly model: EntryModel
  /** Whether the ids of related entries alone decide which of them are shown. */
  readonly isById: boolean
}

interface InverseSource {
  readonly from: SQL
  /** The column with the owner of a related entry. */
  readonly owner: SQL
  readonly id: SQL
}

/** Where the related entries are read from; the links alone if their ids are enough. */
function inverseSource(field: InverseField, { model, isById }: Ranked, deps: ReadDeps): InverseSource {
  const target = tableAs(model, alias)
  const targetId = columnOf(alias, 'id')
  if (!field.owner.many) return { from: target, owner: columnOf(alias, field.owner.column), id: targetId }
  const table = sql.identifier(inverseLinkTable(field, field.owner, deps.schemas))
  const links = sql`${table} ${sql.identifier(linkAlias)}`
  const [id, owner] = [columnOf(linkAlias, 'source_id'), columnOf(linkAlias, 'target_id')]
  return { from: isById ? links : sql`${links} join ${target} on ${id} = ${targetId}`, owner, id }
}
