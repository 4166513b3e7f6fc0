import { sql } from 'drizzle-orm'
import type { Queries } from '../../database/database.ts'
import type { EntryModel } from '../entry-model.ts'
import { tableAs } from '../query/sql-scope.ts'
import { columnOf, nowSlot, type Visibility, visibleTargetWhere } from '../query/visibility.ts'
import type { ReadScope } from './compiled-read.ts'

/** Those of the ids that name an entry which may be seen, found in one query. `now` is ISO 8601. */
export type VisibleIds = (
  ids: Iterable<number>,
  now: string,
  queries: Queries,
) => Promise<ReadonlySet<number>>

const alias = 't0'
const idsSlot = 'ids'

export function compileVisibleIds(target: EntryModel, visibility: Visibility, scope: ReadScope): VisibleIds {
  const { dialect } = scope.database
  const id = columnOf(alias, 'id')
  const isNamed = dialect.inList(id, idsSlot, 'id')
  const visible = visibleTargetWhere(target.type, alias, visibility, dialect)
  const where = visible === undefined ? isNamed : sql`${isNamed} and ${visible}`
  const statement = scope.database.prepare<{ id: number }>(
    sql`select ${id} as ${sql.identifier('id')} from ${tableAs(target, alias)} where ${where}`,
    { id: 'id' },
  )
  return async (ids, now, queries) => {
    const values = {
      [idsSlot]: dialect.list([...new Set(ids)], 'id'),
      [nowSlot]: dialect.bind(now, 'datetime'),
    }
    return new Set((await queries.all(statement, values)).map((row) => row.id))
  }
}
