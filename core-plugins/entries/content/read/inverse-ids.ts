import { type SQL, sql } from 'drizzle-orm'
import type { Awaitable } from '../../../../kernel/index.ts'
import type { Dialect } from '../../../foundation/database/database.ts'
import { targetNameOf } from '../../../foundation/schemas/schemas.ts'
import type { EntryModel, InverseField } from '../entry/entry-model.ts'
import { conditionSql } from '../query/condition-sql.ts'
import type { PickedEntries } from '../query/populate.ts'
import { orderOf } from '../query/sort.ts'
import { inverseLinkTable, type SqlContext, sqlContext, tableAs } from '../query/sql-context.ts'
import { type ChosenStandIns, isStandIn, sharesStandIn, standInsFor } from '../query/stand-ins.ts'
import { columnOf, type Visibility, visibleWhere } from '../query/visibility.ts'
import { isCostlyPick } from '../query/weight.ts'
import type { LoaderRun } from './loader.ts'
import type { ReadDeps } from './read-deps.ts'

/**
 * The limit of entries shown on the inverse side of a relation, by id unless a sort is given; see
 * docs/content-api.md.
 */
const maxInverseEntries = 100

/** The id of an entry that an inverse field refers to, and the id of the entry with the field. */
export interface OwnedId {
  readonly owner: number
  readonly id: number
}

/** An inverse field, and the options for the entries that it refers to. */
export interface AskedInverse {
  readonly field: InverseField
  readonly picked: PickedEntries | undefined
  readonly standIns: readonly ChosenStandIns[]
}

/**
 * Finds what an inverse field refers to, for many entries in one query, in the order in which each shows it.
 */
export type InverseIds = (owners: readonly number[], run: LoaderRun) => Awaitable<OwnedId[]>

const alias = 't0'
const linkAlias = 'l0'
const idsSlot = 'ids'

/** Reads only ids at first, to find out which entries are shown: an author may have a hundred thousand articles. */
export function compileInverseIds(asked: AskedInverse, visibility: Visibility, deps: ReadDeps): InverseIds {
  const { dialect } = deps.database
  const { picked } = asked
  const ranked = rankedSql(asked, sqlContext({ ...deps, dialect, visibility }), deps)
  const text = sql`select ${named('owner')}, ${named('id')} from (${ranked}) ranked
    where ${pageWhere(picked, dialect)} order by ${named('owner')}, ${named('place')}`
  const options = { isCostly: isCostlyPick(picked?.condition, picked?.sort) }
  const statement = deps.database.prepare<OwnedId>(text, { owner: 'id', id: 'id' }, options)
  return (owners, { queries, values, recipient }) =>
    queries.all(statement, { ...values, [idsSlot]: dialect.list(owners, 'id') }, recipient)
}

/** The number of entries that an inverse field refers to, regardless of the page. */
export interface OwnedTotal {
  readonly owner: number
  readonly total: number
}

/** Counts the entries that an inverse field refers to, for many entries in one query; omits those without any. */
export type InverseTotals = (owners: readonly number[], run: LoaderRun) => Awaitable<OwnedTotal[]>

export function compileInverseTotals(
  asked: AskedInverse,
  visibility: Visibility,
  deps: ReadDeps,
): InverseTotals {
  const { dialect } = deps.database
  const { from, owner, where } = ownedSql(asked, sqlContext({ ...deps, dialect, visibility }), deps)
  const text = sql`select ${owner} as ${named('owner')}, count(*) as ${named('total')}
    from ${from} where ${where} group by ${owner}`
  const options = { isCostly: isCostlyPick(asked.picked?.condition) }
  const statement = deps.database.prepare<OwnedTotal>(text, { owner: 'id', total: 'integer' }, options)
  return (owners, { queries, values, recipient }) =>
    queries.all(statement, { ...values, [idsSlot]: dialect.list(owners, 'id') }, recipient)
}

const named = (name: 'owner' | 'id' | 'place' | 'total') => sql.identifier(name)

/** Everything that the field refers to, ranked among the entries of the same owner. */
function rankedSql(asked: AskedInverse, tables: SqlContext, deps: ReadDeps): SQL {
  const { from, owner, id, where } = ownedSql(asked, tables, deps)
  const { picked } = asked
  const order = picked?.sort && orderOf(picked.sort, alias, tables)
  return sql`select ${id} as ${named('id')}, ${owner} as ${named('owner')},
    row_number() over (partition by ${owner} order by ${order?.keys ?? id}) as ${named('place')}
    from ${from}${order?.joins} where ${where}`
}

/** The visible and picked entries of the owners whose ids are bound. */
function ownedSql(
  { field, picked, standIns }: AskedInverse,
  tables: SqlContext,
  deps: ReadDeps,
): InverseSource & { readonly where: SQL } {
  const { dialect } = tables
  const model = deps.models.get(field.target.name) as EntryModel
  const shown = [shownWhere(model, standIns, tables), pickedWhere(picked, tables)]
  const further = shown.filter((condition) => condition !== undefined)
  const isById = picked?.sort === undefined && further.length === 0
  const source = inverseSource({ field, model, isById, standIns }, tables, deps)
  const where = sql.join([dialect.inList(source.owner, idsSlot, 'id'), ...further], sql` and `)
  return { ...source, where }
}

/** The condition for a related entry to be shown; of entries that stand in for one another only one is. */
function shownWhere(
  model: EntryModel,
  standIns: readonly ChosenStandIns[],
  tables: SqlContext,
): SQL | undefined {
  const own = standInsFor(standIns, model)
  return own === undefined
    ? visibleWhere(model.type, alias, tables.visibility, tables.dialect)
    : isStandIn(own, model, alias, tables)
}

function pickedWhere(picked: PickedEntries | undefined, deps: SqlContext): SQL | undefined {
  return picked?.condition && sql`(${conditionSql(picked.condition, alias, deps)})`
}

/** The condition for the page of related entries shown per owner. */
function pageWhere(picked: PickedEntries | undefined, dialect: Dialect): SQL {
  const place = named('place')
  const count = (slot: string | undefined, fallback: number) =>
    slot === undefined ? sql.raw(String(fallback)) : dialect.placeholder(slot, 'integer')
  const offset = count(picked?.offsetSlot, 0)
  return sql`${place} > ${offset} and ${place} <= ${offset} + ${count(picked?.limitSlot, maxInverseEntries)}`
}

interface Ranked extends Omit<AskedInverse, 'picked'> {
  readonly model: EntryModel
  /** Whether the ids of related entries alone decide which of them are shown. */
  readonly isById: boolean
}

interface InverseSource {
  readonly from: SQL
  /** The column with the id of the owner. */
  readonly owner: SQL
  readonly id: SQL
}

/** The table with the related entries; only the link table if their ids are enough. */
function inverseSource(ranked: Ranked, tables: SqlContext, deps: ReadDeps): InverseSource {
  const { field, model, isById } = ranked
  const target = tableAs(model, alias)
  const targetId = columnOf(alias, 'id')
  const represented = representedOwners(ranked, tables)
  if (!field.owner.many) {
    const named = columnOf(alias, field.owner.column)
    if (represented === undefined) return { from: target, owner: named, id: targetId }
    return { from: sql`${target}${represented.joinedTo(named)}`, owner: represented.id, id: targetId }
  }
  const table = sql.identifier(inverseLinkTable(field, field.owner, deps.schemas))
  const [id, owner] = [columnOf(linkAlias, 'source_id'), columnOf(linkAlias, 'target_id')]
  const links = sql`${table} ${sql.identifier(linkAlias)}`
  // An entry may refer to several entries that stand in for one another.
  const source =
    represented === undefined
      ? links
      : sql`(select distinct ${id}, ${represented.id} as ${sql.identifier('target_id')}
          from ${links}${represented.joinedTo(owner)}
          where ${tables.dialect.inList(represented.id, idsSlot, 'id')}) ${sql.identifier(linkAlias)}`
  return { from: isById ? source : sql`${source} join ${target} on ${id} = ${targetId}`, owner, id }
}

/** Joins the entries that relations refer to with the stand-ins shown for them; undefined if the type has no stand-ins. */
function representedOwners({ field, standIns }: Ranked, tables: SqlContext) {
  const model = tables.models.get(targetNameOf(field.owner))
  const own = model && standInsFor(standIns, model)
  if (model === undefined || own === undefined) return undefined
  const [named, shown] = [tables.nextAlias(), tables.nextAlias()]
  return {
    id: columnOf(shown, 'id'),
    joinedTo: (owner: SQL) => sql` join ${tableAs(model, named)} on ${columnOf(named, 'id')} = ${owner}
      join ${tableAs(model, shown)} on ${sharesStandIn(own, named, shown)}`,
  }
}
