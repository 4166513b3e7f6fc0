import { type SQL, sql } from 'drizzle-orm'
import type { Auth } from '../../../accounts/auth/auth.ts'
import { type Database, type DraftEnding, query, type Value } from '../../../foundation/database/database.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { BulkWrites, Trash } from '../operations/operations.ts'
import type { EntryWriteRequest, WriteRequest } from '../write-request.ts'

const entriesAtOnce = 500

interface DraftEndingDeps {
  readonly bulkWrites: BulkWrites
  readonly trash: Trash
  readonly schemas: Schemas
  readonly database: Database
  readonly auth: Auth
}

/**
 * Publishes or deletes drafts and scheduled entries as editors would: with revisions, events, search and webhooks. Entries in the
 * trash are purged, or marked as published, which takes effect if they are restored.
 */
export function createDraftEnding({
  bulkWrites,
  trash,
  schemas,
  database,
  auth,
}: DraftEndingDeps): DraftEnding {
  async function assertMay(type: ContentType, decision: Decision, principal: Principal): Promise<void> {
    const may = auth.seesDrafts(principal, type.name) && auth.mayContent(principal, type.name, decision)
    if (!may) auth.refuse(principal)
    const seesTrash = auth.isAdministrator(principal) && auth.mayContent(principal, type.name, 'delete')
    if (!seesTrash && (await trashedDrafts(type, database)(0)).length > 0) auth.refuse(principal)
  }

  async function deleteTrashed(request: WriteRequest, type: ContentType): Promise<void> {
    const next = trashedDrafts(type, database)
    // An entry protected by a relation becomes deletable once the entry that refers to it is gone, so repeat until nothing
    // changes.
    for (let hasChanged = true; hasChanged; ) {
      hasChanged = false
      for (let ids = await next(0); ids.length > 0; ids = await next(ids.at(-1) ?? 0)) {
        for (const id of ids) if (await purge(trash, { ...request, id })) hasChanged = true
      }
    }
  }

  return {
    async end({ type: name, decision, principal, ip }) {
      const type = schemas.types.get(name)
      if (type === undefined) return
      await assertMay(type, decision, principal)
      const request = { type: name, principal, ip }
      const next = presentDrafts(type, database)
      for (let ids = await next(); ids.length > 0; ids = await next()) {
        if (decision === 'publish') await bulkWrites.publishMany(request, ids)
        else await bulkWrites.deleteMany(request, ids)
      }
      if (!type.options.softDelete) return
      if (decision === 'publish') await publishTrashed(type, database)
      else await deleteTrashed(request, type)
    },
  }
}

type Decision = Parameters<DraftEnding['end']>[0]['decision']

const isDraft = (value: Value): SQL =>
  sql`(published_at is null or published_at > ${value('now', 'datetime')})`

const now = () => new Date().toISOString()

function presentDrafts({ table, options }: ContentType, database: Database): () => Promise<number[]> {
  const isThere = options.softDelete ? sql`deleted_at is null` : sql`1 = 1`
  const next = query<{ id: number }>(
    database,
    (value) => sql`select id from ${sql.identifier(table)} where ${isThere} and ${isDraft(value)}
      order by id limit ${sql.raw(String(entriesAtOnce))}`,
    { id: { column: 'id', kind: 'id' } },
  )
  return async () => (await next.all({ now: now() })).map(({ id }) => id)
}

function trashedDrafts(
  { table, options }: ContentType,
  database: Database,
): (after: number) => Promise<number[]> {
  if (!options.softDelete) return async () => []
  const next = query<{ id: number }>(
    database,
    (value) => sql`select id from ${sql.identifier(table)} where deleted_at is not null and ${isDraft(value)}
      and id > ${value('after', 'id')} order by id limit ${sql.raw(String(entriesAtOnce))}`,
    { id: { column: 'id', kind: 'id' } },
  )
  return async (after) => (await next.all({ now: now(), after })).map(({ id }) => id)
}

/** Sends no events: entries in the trash are not public, and restoring one announces it. */
async function publishTrashed({ table }: ContentType, database: Database): Promise<void> {
  const publication = query(
    database,
    (value) => sql`update ${sql.identifier(table)} set published_at = ${value('now', 'datetime')}
      where deleted_at is not null and ${isDraft(value)}`,
  )
  await publication.run({ now: now() })
}

/** Returns false if another entry's relation forbids the purge, or if the entry is already gone. */
async function purge(trash: Trash, request: EntryWriteRequest): Promise<boolean> {
  try {
    await trash.purge(request)
    return true
  } catch (error) {
    if (error instanceof AppError && ['CONFLICT', 'NOT_FOUND'].includes(error.code)) return false
    throw error
  }
}
