import { sql } from 'drizzle-orm'
import type { Row } from '../../database/database.ts'
import type { Entry } from '../entry.ts'
import type { EntryModel } from '../entry-model.ts'
import { conditionSql } from '../query/condition-sql.ts'
import type { PickedEntries } from '../query/populate.ts'
import { orderSql } from '../query/sort.ts'
import { sqlContext, tableAs } from '../query/sql-context.ts'
import { columnOf, type Visibility, visibleWhere } from '../query/visibility.ts'
import { isCostlyPick } from '../query/weight.ts'
import { entrySelect } from './entry-select.ts'
import type { ReadDeps, Reading } from './read-deps.ts'

export type LoaderRun = Pick<Reading, 'queries' | 'values' | 'recipient'>

/** Loads the visible entries with given ids in one query, in the requested order, if any. */
export interface Loader {
  load(ids: readonly number[], run: LoaderRun): Promise<Entry[]>
}

const alias = 't0'
const idsSlot = 'ids'

export function compileLoader(
  model: EntryModel,
  picked: PickedEntries | undefined,
  visibility: Visibility,
  deps: ReadDeps,
): Loader {
  const { dialect } = deps.database
  const tables = sqlContext({ ...deps, dialect, visibility })
  const fields = deps.readStages.has(model.type) ? undefined : picked?.fields
  const { columns, kinds, toEntry } = entrySelect(model, alias, tables, fields)
  const conditions = [
    dialect.inList(columnOf(alias, 'id'), idsSlot, 'id'),
    visibleWhere(model.type, alias, visibility, dialect),
    picked?.condition && sql`(${conditionSql(picked.condition, alias, tables)})`,
  ].filter((condition) => condition !== undefined)
  const order = picked?.sort === undefined ? sql`` : sql` order by ${orderSql(picked.sort, alias, tables)}`
  const where = sql.join(conditions, sql` and `)
  const query = sql`select ${columns} from ${tableAs(model, alias)} where ${where}${order}`
  const options = { isCostly: isCostlyPick(picked?.condition, picked?.sort) }
  const statement = deps.database.prepare<Row>(query, kinds, options)
  return {
    async load(ids, { queries, values, recipient }) {
      const bound = { ...values, [idsSlot]: dialect.list(ids, 'id') }
      const rows = await queries.all(statement, bound, recipient)
      return rows.map(toEntry)
    },
  }
}
