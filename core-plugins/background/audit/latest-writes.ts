import { sql } from 'drizzle-orm'
import { type Database, query, selectList, type Value } from '../../foundation/database/database.ts'
import type { Audit, RecordedWrite } from './audit.ts'
import { type AuditEntry, auditTable } from './tables.ts'

/** How many of the latest records are searched: the log may have millions, mostly about other things. */
const lookedAt = 500

type LatestRow = Pick<AuditEntry, 'action' | 'actorKind' | 'actorId' | 'actorName' | 'resource' | 'createdAt'>

/** See `Audit.latestWrites`. */
export function createLatestWrites(database: Database): Audit['latestWrites'] {
  const { ofOne, ofAll } = latestQueries(database)
  return async (by) => {
    const rows =
      'admin' in by ? await ofOne.all({ actorKind: 'admin', actorId: by.admin }) : await ofAll.all()
    return rows
      .flatMap(writeIn)
      .filter(({ admin: { id } }) => ('admin' in by ? id === by.admin : id !== by.exceptAdmin))
  }
}

function writeIn(row: LatestRow): RecordedWrite[] {
  const { action, actorKind, actorId, actorName, resource, createdAt } = row
  const [area, operation] = action.split('.')
  if (area !== 'content' || operation === undefined || resource === null) return []
  if (actorKind !== 'admin' || actorId === null) return []
  return [{ operation, resource, admin: { id: actorId, username: actorName ?? '' }, at: createdAt }]
}

function latestQueries(database: Database) {
  const { id, action, actorKind, actorId, actorName, resource, createdAt } = auditTable.columns
  const columns = { action, actorKind, actorId, actorName, resource, createdAt }
  const list = selectList(database, columns)
  const newest = sql`order by ${id} desc limit ${sql.raw(String(lookedAt))}`
  return {
    ofOne: query(
      database,
      (value: Value) => sql`select ${list} from ${auditTable}
        where ${actorId} = ${value(actorId)} and ${actorKind} = ${value(actorKind)} ${newest}`,
      columns,
    ),
    ofAll: query(database, () => sql`select ${list} from ${auditTable} ${newest}`, columns),
  }
}
