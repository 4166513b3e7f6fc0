import { sql } from 'drizzle-orm'
import type { Auth } from '../../../accounts/auth/auth.ts'
import { type Database, query, type TrashEnding } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import type { Trash } from '../operations/operations.ts'
import type { EntryWriteRequest } from '../write-request.ts'

const entriesAtOnce = 500

interface TrashEndingDeps {
  readonly schemas: Schemas
  readonly database: Database
  readonly auth: Auth
}

/** Restores or purges the entries in the trash as administrators would: with revisions, events, search and webhooks. */
export function createTrashEnding(trash: Trash, { schemas, database, auth }: TrashEndingDeps): TrashEnding {
  return {
    async end({ type: name, decision, principal, ip }) {
      const type = schemas.types.get(name)
      if (type === undefined) return
      const may = auth.isAdministrator(principal) && auth.mayContent(principal, name, 'delete')
      if (!may) auth.refuse(principal)
      const request = { type: name, principal, ip }
      if (decision === 'delete') return purgeAll(trash, request)
      const next = query<{ id: number }>(
        database,
        (value) => sql`select id from ${sql.identifier(type.table)} where deleted_at is not null
          and id > ${value('after', 'id')} order by id limit ${sql.raw(String(entriesAtOnce))}`,
        { id: { column: 'id', kind: 'id' } },
      )
      for (let after: number | undefined = 0; after !== undefined; ) {
        const rows: { id: number }[] = await next.all({ after })
        for (const { id } of rows) await restore(trash, { ...request, id })
        after = rows.at(-1)?.id
      }
    },
  }
}

/**
 * Purges in rounds: an entry protected by a relation can be purged once the entries that refer to it are, and those may be in the
 * trash too.
 */
async function purgeAll(trash: Trash, request: Omit<EntryWriteRequest, 'id'>): Promise<void> {
  const until = new Date().toISOString()
  for (let isDone = false; !isDone; ) isDone = (await trash.emptyTrash(request, until)).ids.length === 0
}

async function restore(trash: Trash, request: EntryWriteRequest): Promise<void> {
  try {
    await trash.restore(request)
  } catch (error) {
    // Already out of the trash: another caller, or the restore of another version of the entry, was first.
    if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error
  }
}
