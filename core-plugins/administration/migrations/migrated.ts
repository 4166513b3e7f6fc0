import type { Database, Transaction } from '../../foundation/database/database.ts'
import { migratedTable } from './tables.ts'

export type MigratedKind = 'folder' | 'file' | 'user'

/** What things of another system have become here. */
export interface Migrated {
  /** The ids of those that have been brought in, by UUID. */
  find(uuids: readonly string[], tx?: Transaction): Promise<ReadonlyMap<string, number>>
  /** In the transaction that makes the thing, so that it is never made twice. */
  note(kind: MigratedKind, uuid: string, targetId: number, tx: Transaction): Promise<void>
}

const uuidsAtOnce = 500

export function createMigrated(database: Database): Migrated {
  const rows = migratedTable.on(database)
  const { uuid } = migratedTable.columns
  const find = rows.find((_, inList) => inList(uuid, 'uuids'), { pick: ['uuid', 'targetId'] })
  const remove = rows.delete((_, inList) => inList(uuid, 'uuids'))
  const insert = rows.insert()
  return {
    async find(uuids, tx) {
      const found = new Map<string, number>()
      for (let start = 0; start < uuids.length; start += uuidsAtOnce) {
        const part = uuids.slice(start, start + uuidsAtOnce)
        for (const row of await find.all({ uuids: part }, tx)) found.set(row.uuid, row.targetId)
      }
      return found
    },
    async note(kind, uuid, targetId, tx) {
      // What it was before has been deleted meanwhile.
      await remove.run({ uuids: [uuid] }, tx)
      await insert.run({ uuid, kind, targetId }, tx)
    },
  }
}
