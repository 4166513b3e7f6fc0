import { v7 as newUuid } from 'uuid'
import { type Database, isUniqueViolation, type Transaction } from '../../foundation/database/database.ts'
import { environmentTable } from './tables.ts'

/** Which environment this is, such as the staging of a project. */
export interface Environment {
  /** The id, created at the first call. */
  id(): Promise<string>
  /** Gives this environment another id, because its database was copied from that of another one. */
  renew(): Promise<string>
  /** Lets one transfer at a time through, until the end of the transaction. */
  lock(tx: Transaction): Promise<void>
}

const here = { name: 'this' } as const

export function createEnvironment(database: Database): Environment {
  const rows = environmentTable.on(database)
  const find = rows.find(['name'])
  const lock = rows.find(['name'], { lock: true })
  const insert = rows.insert()
  const update = rows.update(['environment'], ['name'])

  async function make(): Promise<string> {
    const environment = newUuid()
    try {
      await insert.run({ ...here, environment })
      return environment
    } catch (error) {
      // Another process has created it meanwhile.
      const made = isUniqueViolation(error) ? await find.get(here) : undefined
      if (made === undefined) throw error
      return made.environment
    }
  }

  const id = async () => (await find.get(here))?.environment ?? make()
  return {
    id,
    async renew() {
      await id()
      const environment = newUuid()
      await update.run({ ...here, environment })
      return environment
    },
    async lock(tx) {
      await lock.get(here, tx)
    },
  }
}
