import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../../database/database.ts'
import type { Awaitable } from '../awaitable.ts'
import type { EntryModel, InverseField } from '../entry-model.ts'
import { conditionSql } from '../query/condition-sql.ts'
import type { PickedEntries } from '../query/populate.ts'
import { orderSql } from '../query/sort.ts'
import { inverseLinkTable, type SqlScope, sqlScope, tableAs } from '../query/sql-scope.ts'
import { columnOf, type Visibility, visibleWhere } from '../query/visibility.ts'
import { isCostlyPick } from '../query/weight.ts'
import type { ReadScope } from './compiled-read.ts'
import type { LoaderRun } from './loader.ts'

/** decisions.md, 3: of the inverse side of a relation at most so many entries are shown, by id unless told otherwise. */
const maxInverseEntries = 100

/** The id of an entry that an inverse field leads to, and whose field that is. */
export interface OwnedId {
  readonly owner: number
  readonly id: number
}

/** Finds what an inverse field leads to, for many entries in one query, in the order in which each shows it. */
export type InverseIds = (owners: readonly number[], run: LoaderRun) => Awaitable<OwnedId[]>

const alias = 't0'
const linkAlias = 'l0'
const idsSlot = 'ids'

/** Nothing but ids is looked at before it is known what is shown: an author may have a hundred thousand articles. */
export function compileInverseIds(
  field: InverseField,
  picked: PickedEntries | undefined,
  visibility: Visibility,
  scope: ReadScope,
): InverseIds {
  const { dialect } = scope.database
  const ranked = rankedSql(field, picked, sqlScope({ ...scope, dialect, visibility }), scope)
  const text = sql`select ${named('owner')}, ${named('id')} from (${ranked}) ranked
    where ${pageWhere(picked, dialect)} order by ${named('owner')}, ${named('place')}`
  const options = { isCostly: isCostlyPick(picked?.condition, picked?.sort) }
  const statement = scope.database.prepare<OwnedId>(text, { owner: 'id', id: 'id' }, options)
  return (owners, { queries, values, recipient }) =>
    queries.all(statement, { ...values, [idsSlot]: dialect.list(owners, 'id') }, recipient)
}

const named = (name: 'owner' | 'id' | 'place') => sql.identifier(name)

/** All that the field leads to, with the place that it has among that of its owner. */
function rankedSql(
  field: InverseField,
  picked: PickedEntries | undefined,
  tables: SqlScope,
  scope: ReadScope,
): SQL {
  const { dialect, visibility } = tables
  const model = scope.models.get(field.target.name) as EntryModel
  const shown = [visibleWhere(model.type, alias, visibility, dialect), pickedWhere(picked, tables)]
  const further = shown.filter((condition) => condition !== undefined)
  const isById = picked?.sort === undefined
  const { from, owner, id } = inverseSource(field, { model, isById: isById && further.length === 0 }, scope)
  const order = isById ? id : orderSql(picked.sort, alias, dialect)
  return sql`select ${id} as ${named('id')}, ${owner} as ${named('owner')},
    row_number() over (partition by ${owner} order by ${order}) as ${named('place')}
    from ${from} where ${sql.join([dialect.inList(owner, idsSlot, 'id'), ...further], sql` and `)}`
}

function pickedWhere(picked: PickedEntries | undefined, scope: SqlScope): SQL | undefined {
  return picked?.condition && sql`(${conditionSql(picked.condition, alias, scope)})`
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
  /** Whether nothing but the ids of related entries decides which of them are shown. */
  readonly isById: boolean
}

interface InverseSource {
  readonly from: SQL
  /** The column that tells whose a related entry is. */
  readonly owner: SQL
  readonly id: SQL
}

/** Where the related entries come from; links alone where their ids are enough. */
function inverseSource(field: InverseField, { model, isById }: Ranked, scope: ReadScope): InverseSource {
  const target = tableAs(model, alias)
  const targetId = columnOf(alias, 'id')
  if (!field.owner.many) return { from: target, owner: columnOf(alias, field.owner.column), id: targetId }
  const table = sql.identifier(inverseLinkTable(field, field.owner, scope.schemas))
  const links = sql`${table} ${sql.identifier(linkAlias)}`
  const [id, owner] = [columnOf(linkAlias, 'source_id'), columnOf(linkAlias, 'target_id')]
  return { from: isById ? links : sql`${links} join ${target} on ${id} = ${targetId}`, owner, id }
}
