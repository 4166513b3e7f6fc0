import type { Log } from '../../kernel/index.ts'
import { DatabaseError } from './database.ts'
import { parseDatabaseUrl } from './database-url.ts'
import { openMysql } from './dialects/mysql/mysql-driver.ts'
import { openPostgres } from './dialects/postgres/postgres-driver.ts'
import { openSqlite } from './dialects/sqlite/sqlite-driver.ts'
import type { Driver } from './driver.ts'

/** How to reach the database; times in milliseconds, see the settings of the same names. */
export interface OpenOptions {
  readonly url: string
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
  if (address === undefined) throw new DatabaseError('unavailable', 'DATABASE_URL has an invalid format')
  if (address.dialect === 'postgres') return openPostgres({ ...options, url: address.target })
  if (address.dialect === 'mysql') return openMysql({ ...options, url: address.target })
  return openSqlite({
    file: address.target,
    busyTimeoutMs: options.waitTimeoutMs,
    idleTransactionTimeoutMs: options.queryTimeoutMs,
    log: options.log,
  })
}
