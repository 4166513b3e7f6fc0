import {
  type OpenOptions,
  openDatabase,
} from '../../core-plugins/foundation/database/connections/open-database.ts'
import type { TableSpec } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { synchronize } from '../../core-plugins/foundation/database/sync/synchronize.ts'
import { shortenNames } from '../../core-plugins/foundation/database/tables/identifier.ts'
import { silentLog } from '../../kernel/index.ts'
import type { DatabaseUnderTest, TestDatabase } from './databases.ts'

/** An open database for one test. */
export interface OpenTestDatabase {
  readonly driver: Driver
  readonly url: string
  /** Closes and removes it. */
  close(): Promise<void>
}

const testOptions: Omit<OpenOptions, 'url'> = {
  workingDirectory: process.cwd(),
  poolSize: 3,
  transactionPoolSize: 3,
  maxWaiting: 100,
  waitTimeoutMs: 5_000,
  connectTimeoutMs: 2_000,
  queryTimeoutMs: 10_000,
  readTimeoutMs: 10_000,
  costlyPoolSize: 2,
  maxCostlyWaiting: 100,
  onFull: () => undefined,
  log: silentLog,
}

/** Opens an existing database, without a sync. */
export function openUrl(url: string, options: Partial<OpenOptions> = {}): Promise<Driver> {
  return openDatabase({ ...testOptions, ...options, url })
}

/** Creates a database with these tables. */
export async function openTestDatabase(
  database: DatabaseUnderTest,
  tables: readonly TableSpec[],
  options: Partial<OpenOptions> = {},
): Promise<OpenTestDatabase> {
  const created: TestDatabase = await database.createUrl()
  const driver = await openUrl(created.url, options)
  driver.useTables(tables)
  await synchronize(driver, tables.map(shortenNames))
  return {
    driver,
    url: created.url,
    async close() {
      await driver.close()
      await created.drop()
    },
  }
}
