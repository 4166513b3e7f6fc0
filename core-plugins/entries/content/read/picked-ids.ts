import { sql } from 'drizzle-orm'
import type { EntryModel } from '../entry/entry-model.ts'
import { conditionSql } from '../query/condition-sql.ts'
import type { PickedEntries } from '../query/populate.ts'
import { orderOf } from '../query/sort.ts'
import { sqlContext, tableAs } from '../query/sql-context.ts'
import { columnOf, type Visibility, visibleWhere } from '../query/visibility.ts'
import { isCostlyPick } from '../query/weight.ts'
import type { LoaderRun } from './loader.ts'
import type { ReadDeps } from './read-deps.ts'

/** Finds the visible entries among the given ids that match the options; in display order if an order was requested. */
export type PickedIds = (ids: readonly number[], run: LoaderRun) => Promise<number[]>

const alias = 't0'
const idsSlot = 'ids'

/** Reads only ids: an entry may refer to thousands of entries and show only a few. */
export function compilePickedIds(
  model: EntryModel,
  { condition, sort }: PickedEntries,
  visibility: Visibility,
  deps: ReadDeps,
): PickedIds {
  const { dialect } = deps.database
  const tables = sqlContext({ ...deps, dialect, visibility })
  const id = columnOf(alias, 'id')
  const conditions = [
    dialect.inList(id, idsSlot, 'id'),
    visibleWhere(model.type, alias, visibility, dialect),
    condition && sql`(${conditionSql(condition, alias, tables)})`,
  ].filter((each) => each !== undefined)
  const order = sort && orderOf(sort, alias, tables)
  const from = sql`select ${id} as ${sql.identifier('id')} from ${tableAs(model, alias)}${order?.joins}`
  const statement = deps.database.prepare<{ id: number }>(
    sql`${from} where ${sql.join(conditions, sql` and `)}${order && sql` order by ${order.keys}`}`,
    { id: 'id' },
    { isCostly: isCostlyPick(condition, sort) },
  )
  return async (ids, { queries, values, recipient }) => {
    const bound = { ...values, [idsSlot]: dialect.list(ids, 'id') }
    return (await queries.all(statement, bound, recipient)).map((row) => row.id)
  }
}
