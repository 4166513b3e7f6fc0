import { DatabaseError } from '../database-error.ts'
import type { DriverOptions } from '../dialect-definition.ts'
import { dialects } from '../dialects/dialects.ts'
import type { Driver } from '../driver.ts'
import { parseDatabaseUrl } from './database-url.ts'

/** How to reach the database, of any dialect. */
export interface OpenOptions extends Omit<DriverOptions, 'target' | 'directUrl'> {
  /** DATABASE_URL. */
  readonly url: string
  /** DATABASE_DIRECT_URL; empty if it is not set. */
  readonly directUrl?: string
}

/**
 * Opens the database of `url` and checks that it responds.
 * @throws DatabaseError
 */
export async function openDatabase({ url, directUrl = '', ...options }: OpenOptions): Promise<Driver> {
  const address = parseDatabaseUrl(url)
  if (address === undefined) throw new DatabaseError('unavailable', 'the address has an invalid format')
  const { dialect, target } = address
  const driver = await dialects[dialect].open({
    ...options,
    target,
    directUrl: parseDatabaseUrl(directUrl)?.target,
  })
  try {
    await driver.ping()
    return driver
  } catch (error) {
    await driver.close()
    throw error
  }
}
