import type { Database, Transaction } from '../../foundation/database/database.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import { isLocalized } from './columns.ts'
import type { GroupStore } from './group-store.ts'
import type { Locales } from './locales.ts'

export interface FillDeps {
  readonly database: Database
  readonly schemas: Schemas
  readonly store: GroupStore
  readonly locales: Locales
}

/**
 * Sets the locale and group of entries without them: entries from before their type was localised, or created or restored while
 * this plugin was off.
 */
export function createFiller({ database, schemas, store, locales }: FillDeps) {
  const types = [...schemas.types.values()].filter(isLocalized)
  const fill = async (tx: Transaction) => {
    for (const type of types) await store.fill(type, locales.defaultOf(type), tx)
  }
  return { fill, fillAll: () => database.transaction(fill) }
}
