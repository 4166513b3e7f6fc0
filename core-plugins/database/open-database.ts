import { DatabaseError } from './database-error.ts'
import { parseDatabaseUrl } from './database-url.ts'
import type { DriverOptions } from './dialect-definition.ts'
import { dialects } from './dialects/dialects.ts'
import type { Driver } from './driver.ts'

/** How to reach the database, whichever it is. */
export interface OpenOptions extends Omit<DriverOptions, 'target'> {
  /** DATABASE_URL. */
  readonly url: string
}

/** Opens the database of `url` and checks that it answers. @throws DatabaseError */
export async function openDatabase({ url, ...options }: OpenOptions): Promise<Driver> {
  const address = parseDatabaseUrl(url)
  if (address === undefined) throw new DatabaseError('unavailable', 'the address has an invalid format')
  const { dialect, target } = address
  const driver = await dialects[dialect].open({ ...options, target })
  try {
    await driver.ping()
    return driver
  } catch (error) {
    await driver.close()
    throw error
  }
}
