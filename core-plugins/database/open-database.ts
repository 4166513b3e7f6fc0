import { resolve } from 'node:path'
import { DatabaseError } from './database.ts'
import { type DatabaseAddress, parseDatabaseUrl } from './database-url.ts'
import type { Driver } from './driver.ts'
import type { ServerOptions } from './server-options.ts'

/** How to reach the database, whichever it is. */
export interface OpenOptions extends ServerOptions {
  /** From where the path of a SQLite file is meant. */
  readonly workingDirectory: string
}

/** Opens the database of `url` and sees that it answers. @throws DatabaseError */
export async function openDatabase(options: OpenOptions): Promise<Driver> {
  const address = parseDatabaseUrl(options.url)
  if (address === undefined) throw new DatabaseError('unavailable', 'the address has an invalid format')
  const driver = await openDialect(address, options)
  try {
    await driver.ping()
    return driver
  } catch (error) {
    await driver.close()
    throw error
  }
}

// Imported when needed: the drivers of the other databases would only cost time and memory.
async function openDialect({ dialect, target }: DatabaseAddress, options: OpenOptions): Promise<Driver> {
  if (dialect === 'postgres') {
    const { PostgresDriver } = await import('./dialects/postgres/postgres-driver.ts')
    return new PostgresDriver({ ...options, url: target })
  }
  if (dialect === 'mysql') {
    const { MysqlDriver } = await import('./dialects/mysql/mysql-driver.ts')
    return MysqlDriver.open({ ...options, url: target })
  }
  const { SqliteDriver } = await import('./dialects/sqlite/sqlite-driver.ts')
  return new SqliteDriver({
    ...options,
    file: target === ':memory:' ? target : resolve(options.workingDirectory, target),
    busyTimeoutMs: options.waitTimeoutMs,
    idleTransactionTimeoutMs: options.queryTimeoutMs,
  })
}
