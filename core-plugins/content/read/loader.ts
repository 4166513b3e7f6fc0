import { sql } from 'drizzle-orm'
import type { Queries, Recipient, Row, Values } from '../../database/database.ts'
import type { Entry } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import { conditionSql } from '../query/condition-sql.ts'
import type { PickedEntries } from '../query/populate.ts'
import { orderSql } from '../query/sort.ts'
import { sqlScope, tableAs } from '../query/sql-scope.ts'
import { columnOf, type Visibility, visibleWhere } from '../query/visibility.ts'
import { isCostlyPick } from '../query/weight.ts'
import type { ReadScope } from './compiled-read.ts'
import { entrySelect } from './entry-select.ts'

export interface LoaderRun {
  readonly queries: Queries
  readonly values: Values
  readonly recipient: Recipient | undefined
}

/** Loads the visible ones among entries with given ids in one query, in the order picked, if any. */
export interface Loader {
  load(ids: readonly number[], run: LoaderRun): Promise<Entry[]>
}

const alias = 't0'
const idsSlot = 'ids'

export function compileLoader(
  model: EntryModel,
  picked: PickedEntries | undefined,
  visibility: Visibility,
  scope: ReadScope,
): Loader {
  const { dialect } = scope.database
  const tables = sqlScope({ ...scope, dialect, visibility })
  const fields = scope.readStages.has(model.type) ? undefined : picked?.fields
  const { columns, kinds, toEntry } = entrySelect(model, alias, tables, fields)
  const conditions = [
    dialect.inList(columnOf(alias, 'id'), idsSlot, 'id'),
    visibleWhere(model.type, alias, visibility, dialect),
    picked?.condition && sql`(${conditionSql(picked.condition, alias, tables)})`,
  ].filter((condition) => condition !== undefined)
  const order = picked?.sort === undefined ? sql`` : sql` order by ${orderSql(picked.sort, alias, dialect)}`
  const where = sql.join(conditions, sql` and `)
  const query = sql`select ${columns} from ${tableAs(model, alias)} where ${where}${order}`
  const options = { isCostly: isCostlyPick(picked?.condition, picked?.sort) }
  const statement = scope.database.prepare<Row>(query, kinds, options)
  return {
    async load(ids, { queries, values, recipient }) {
      const bound = { ...values, [idsSlot]: dialect.list(ids, 'id') }
      const rows = await queries.all(statement, bound, recipient)
      return rows.map(toEntry)
    },
  }
}
