import { sql } from 'drizzle-orm'
import type { Auth } from '../auth/auth.ts'
import { type Database, type DraftEnding, query } from '../database/database.ts'
import type { Schemas } from '../schemas/schemas.ts'
import type { BulkWrites } from './services/bulk-writes-service.ts'

const entriesAtOnce = 500

interface DraftEndingDeps {
  readonly schemas: Schemas
  readonly database: Database
  readonly auth: Auth
}

/**
 * Publishes or deletes drafts and scheduled entries the way editors do: with revisions, events, search and
 * webhooks.
 */
export function createDraftEnding(
  bulkWrites: BulkWrites,
  { schemas, database, auth }: DraftEndingDeps,
): DraftEnding {
  return {
    async end({ type: name, decision, principal, ip }) {
      const type = schemas.types.get(name)
      if (type === undefined) return
      const may = auth.seesDrafts(principal, name) && auth.mayContent(principal, name, decision)
      if (!may) auth.refuse(principal)
      const isThere = type.options.softDelete ? sql`deleted_at is null` : sql`1 = 1`
      const next = query<{ id: number }>(
        database,
        (value) => sql`select id from ${sql.identifier(type.table)} where ${isThere}
          and (published_at is null or published_at > ${value('now', 'datetime')})
          order by id limit ${sql.raw(String(entriesAtOnce))}`,
        { id: { column: 'id', kind: 'id' } },
      )
      const unpublished = async () => (await next.all({ now: new Date().toISOString() })).map(({ id }) => id)
      for (let ids = await unpublished(); ids.length > 0; ids = await unpublished()) {
        const request = { type: name, principal, ip }
        if (decision === 'publish') await bulkWrites.publishMany(request, ids)
        else await bulkWrites.deleteMany(request, ids)
      }
    },
  }
}
