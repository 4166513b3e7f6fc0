import { sql } from 'drizzle-orm'
import type { Awaitable } from '../../../../kernel/index.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { sqlContext, tableAs } from '../query/sql-context.ts'
import { type ChosenStandIns, isStandIn, sharesStandIn } from '../query/stand-ins.ts'
import { columnOf, type Visibility } from '../query/visibility.ts'
import type { LoaderRun } from './loader.ts'
import type { ReadDeps } from './read-deps.ts'

/** The id of an entry, and the id of the entry shown instead. */
export interface StandInId {
  readonly id: number
  readonly shown: number
}

/** Finds the stand-ins of many entries in one query; omits those without a visible stand-in. */
export type StandInIds = (ids: readonly number[], run: LoaderRun) => Awaitable<StandInId[]>

const alias = 't0'
const idsSlot = 'ids'

export function compileStandInIds(
  model: EntryModel,
  standIns: ChosenStandIns,
  visibility: Visibility,
  deps: ReadDeps,
): StandInIds {
  const { dialect } = deps.database
  const tables = sqlContext({ ...deps, dialect, visibility })
  const shown = tables.nextAlias()
  const isNamed = dialect.inList(columnOf(alias, 'id'), idsSlot, 'id')
  const statement = deps.database.prepare<StandInId>(
    sql`select ${columnOf(alias, 'id')} as ${sql.identifier('id')}, ${columnOf(shown, 'id')} as ${sql.identifier('shown')}
      from ${tableAs(model, alias)} join ${tableAs(model, shown)} on ${sharesStandIn(standIns, alias, shown)}
      where ${isNamed} and ${isStandIn(standIns, model, shown, tables)}`,
    { id: 'id', shown: 'id' },
  )
  return (ids, { queries, values, recipient }) =>
    queries.all(statement, { ...values, [idsSlot]: dialect.list(ids, 'id') }, recipient)
}
