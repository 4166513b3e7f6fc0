import { sql } from 'drizzle-orm'
import type { Row } from '../../../foundation/database/database.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { PopulateNode } from '../query/populate.ts'
import { sqlContext, tableAs } from '../query/sql-context.ts'
import { type ChosenStandIns, standInsOfFields } from '../query/stand-ins.ts'
import { columnOf, type Visibility, visibleWhere } from '../query/visibility.ts'
import { entrySelect } from './entry-select.ts'
import type { ReadDeps, Reading } from './read-deps.ts'

export type LoaderRun = Pick<Reading, 'queries' | 'values' | 'recipient'>

/** Loads the visible entries with given ids in one query. */
export interface Loader {
  load(ids: readonly number[], run: LoaderRun): Promise<Entry[]>
}

const alias = 't0'
const idsSlot = 'ids'

/** The options for the entries shown at one place of the answer. */
export interface LoadedEntries {
  readonly node: PopulateNode
  readonly standIns: readonly ChosenStandIns[]
}

export function compileLoader(
  model: EntryModel,
  { node: { picked, inside }, standIns }: LoadedEntries,
  visibility: Visibility,
  deps: ReadDeps,
): Loader {
  const { dialect } = deps.database
  const tables = sqlContext({ ...deps, dialect, visibility })
  const fields = deps.readStages.has(model.type) ? undefined : picked?.fields
  const standInsOf = standInsOfFields(inside, standIns, deps.models)
  const { columns, kinds, toEntry } = entrySelect(model, alias, tables, { fields, standInsOf })
  const isNamed = dialect.inList(columnOf(alias, 'id'), idsSlot, 'id')
  const visible = visibleWhere(model.type, alias, visibility, dialect)
  const where = visible === undefined ? isNamed : sql`${isNamed} and ${visible}`
  const query = sql`select ${columns} from ${tableAs(model, alias)} where ${where}`
  const statement = deps.database.prepare<Row>(query, kinds)
  return {
    async load(ids, { queries, values, recipient }) {
      const bound = { ...values, [idsSlot]: dialect.list(ids, 'id') }
      const rows = await queries.all(statement, bound, recipient)
      return rows.map(toEntry)
    },
  }
}
