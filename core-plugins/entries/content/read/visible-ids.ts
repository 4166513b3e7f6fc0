import { sql } from 'drizzle-orm'
import type { Dialect, Queries, Values } from '../../../foundation/database/database.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { tableAs } from '../query/sql-context.ts'
import { columnOf, nowSlot, type Visibility, visibleTargetWhere } from '../query/visibility.ts'
import type { ReadDeps } from './read-deps.ts'

/** The visible entries among the given ids, found in one query. `now` is ISO 8601. */
export type VisibleIds = (
  ids: Iterable<number>,
  now: string,
  queries: Queries,
) => Promise<ReadonlySet<number>>

const alias = 't0'
const idsSlot = 'ids'

/** The existing entries among the given ids, and whether each is visible; found in one query. `now` is ISO 8601. */
export type KnownIds = (ids: Iterable<number>, now: string, queries: Queries) => Promise<readonly KnownId[]>

export interface KnownId {
  readonly id: number
  readonly isVisible: boolean
}

export function compileKnownIds(target: EntryModel, visibility: Visibility, deps: ReadDeps): KnownIds {
  const { dialect } = deps.database
  const id = columnOf(alias, 'id')
  const visible = visibleTargetWhere(target.type, alias, visibility, dialect) ?? sql`1 = 1`
  const statement = deps.database.prepare<{ id: number; visible: number }>(
    sql`select ${id} as ${sql.identifier('id')}, case when ${visible} then 1 else 0 end as ${sql.identifier('visible')}
      from ${tableAs(target, alias)} where ${dialect.inList(id, idsSlot, 'id')}`,
    { id: 'id', visible: 'integer' },
  )
  return async (ids, now, queries) => {
    const values = boundIds(ids, now, dialect)
    return (await queries.all(statement, values)).map((row) => ({ id: row.id, isVisible: row.visible === 1 }))
  }
}

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
    const values = boundIds(ids, now, dialect)
    return new Set((await queries.all(statement, values)).map((row) => row.id))
  }
}

function boundIds(ids: Iterable<number>, now: string, dialect: Dialect): Values {
  return { [idsSlot]: dialect.list([...new Set(ids)], 'id'), [nowSlot]: dialect.bind(now, 'datetime') }
}
