import { resolve } from 'node:path'
import type { Log } from '../../kernel/index.ts'
import { DatabaseError } from './database.ts'
import { type DatabaseAddress, parseDatabaseUrl } from './database-url.ts'
import type { Driver } from './driver.ts'

/** How to reach the database; times in milliseconds, see the settings of the same names. */
export interface OpenOptions {
  readonly url: string
  /** From where the path of a SQLite file is meant. */
  readonly workingDirectory: string
  readonly poolSize: number
  readonly transactionPoolSize: number
  readonly maxWaiting: number
  readonly waitTimeoutMs: number
  readonly connectTimeoutMs: number
  readonly queryTimeoutMs: number
  readonly log: Log
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
    const { openPostgres } = await import('./dialects/postgres/postgres-driver.ts')
    return openPostgres({ ...options, url: target })
  }
  if (dialect === 'mysql') {
    const { openMysql } = await import('./dialects/mysql/mysql-driver.ts')
    return openMysql({ ...options, url: target })
  }
  const { openSqlite } = await import('./dialects/sqlite/sqlite-driver.ts')
  return openSqlite({
    file: target === ':memory:' ? target : resolve(options.workingDirectory, target),
    busyTimeoutMs: options.waitTimeoutMs,
    idleTransactionTimeoutMs: options.queryTimeoutMs,
    log: options.log,
  })
}
