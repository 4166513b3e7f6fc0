import { sql } from 'drizzle-orm'
import type { Queries, Row, Values } from '../../database/database.ts'
import type { Entry } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import { sqlScope, tableAs } from '../query/condition-sql.ts'
import { columnOf, visibleWhere } from '../query/visibility.ts'
import type { ReadScope, ReadVisibility } from './compiled-read.ts'
import { entryFromRow, entrySelect } from './entry-select.ts'

/** Loads the visible ones among entries with given ids, in no particular order, in one query. */
export interface Loader {
  load(ids: readonly number[], queries: Queries, values: Values): Promise<Entry[]>
}

const alias = 't0'
const idsSlot = 'ids'

export function compileLoader(model: EntryModel, visibility: ReadVisibility, scope: ReadScope): Loader {
  const { dialect } = scope.database
  const tables = sqlScope({ ...scope, dialect, visibility })
  const { columns, kinds, linkNames } = entrySelect(model, alias, tables)
  const conditions = [
    dialect.inList(columnOf(alias, 'id'), idsSlot, 'id'),
    visibleWhere(model.type, alias, visibility, dialect),
  ].filter((condition) => condition !== undefined)
  const query = sql`select ${columns} from ${tableAs(model, alias)} where ${sql.join(conditions, sql` and `)}`
  const statement = scope.database.prepare<Row>(query, kinds)
  return {
    async load(ids, queries, values) {
      const rows = await queries.all(statement, { ...values, [idsSlot]: dialect.list(ids, 'id') })
      return rows.map((row) => entryFromRow(row, linkNames))
    },
  }
}
