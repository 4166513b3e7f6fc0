import { sql } from 'drizzle-orm'
import type { Queries } from '../../database/database.ts'
import type { EntryModel } from '../entry-model.ts'
import { tableAs } from '../query/sql-context.ts'
import { columnOf, nowSlot, type Visibility, visibleTargetWhere } from '../query/visibility.ts'
import type { ReadDeps } from './read-deps.ts'

/** The ids of visible entries among those given, found in one query. `now` is ISO 8601. */
export type VisibleIds = (
  ids: Iterable<number>,
  now: string,
  queries: Queries,
) => Promise<ReadonlySet<number>>

const alias = 't0'
const idsSlot = 'ids'

export function compileVisibleIds(target: EntryModel, visibility: Visibility, deps: ReadDeps): VisibleIds {
  const { dialect } = deps.database
  const id = columnOf(alias, 'id')
  const isNamed = dialect.inList(id, idsSlot, 'id')
  const visible = visibleTargetWhere(target.type, alias, visibility, dialect)
  const where = visible === undefined ? isNamed : sql`${isNamed} and ${visible}`
  const statement = deps.database.prepare<{ id: number }>(
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
