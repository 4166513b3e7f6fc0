import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import { type Copy, type FloorTable, leastTables, recordsAtOnce, writtenTables } from './copied-rows.ts'
import { openMysqlCopy } from './copy-mysql.ts'
import { openPostgresCopy } from './copy-postgres.ts'
import { openSqliteCopy } from './copy-sqlite.ts'

const copies: Readonly<Record<DialectName, (from: string, to: string) => Copy | Promise<Copy>>> = {
  sqlite: openSqliteCopy,
  postgres: openPostgresCopy,
  mysql: openMysqlCopy,
}

export interface FloorRun {
  readonly database: DialectName
  /** URLs of the database that the service has imported into, and of one with the same tables but no articles. */
  readonly from: string
  readonly to: string
  readonly records: number
  readonly isWhole: boolean
}

export interface Rate {
  readonly perSecond: number
  /** Processor time per record, without that of a database server; undefined if unknown. */
  readonly cpuUs: number | undefined
}

/** Inserts the rows that the service has created, in transactions of the same size. The time for reading them is not counted. */
export async function measureFloor({ database, from, to, records, isWhole }: FloorRun): Promise<Rate> {
  const copy = await copies[database](from, to)
  const tables: readonly FloorTable[] = isWhole ? writtenTables : leastTables
  let [ms, cpuUs] = [0, 0]
  try {
    for (let first = 1; first <= records; first += recordsAtOnce) {
      const batch = await copy.read(tables, first, Math.min(first + recordsAtOnce - 1, records))
      const [startedAt, used] = [performance.now(), process.cpuUsage()]
      await copy.insert(batch)
      ms += performance.now() - startedAt
      const { user, system } = process.cpuUsage(used)
      cpuUs += user + system
    }
  } finally {
    await copy.close()
  }
  return { perSecond: (records / ms) * 1000, cpuUs: cpuUs / records }
}
