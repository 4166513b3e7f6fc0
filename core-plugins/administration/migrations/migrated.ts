import type { Database, Transaction } from '../../foundation/database/database.ts'
import { migratedTable } from './tables.ts'

export type MigratedKind = 'folder' | 'file' | 'user'

/** Maps UUIDs of migrated files, folders and users to their ids here. */
export interface Migrated {
  /** The ids of the records that still exist, by UUID. */
  find(uuids: readonly string[], tx?: Transaction): Promise<ReadonlyMap<string, number>>
  /** Runs in the transaction that creates the record, so that it is never created twice. */
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
      // An earlier record with this UUID has been deleted since.
      await remove.run({ uuids: [uuid] }, tx)
      await insert.run({ uuid, kind, targetId }, tx)
    },
  }
}
