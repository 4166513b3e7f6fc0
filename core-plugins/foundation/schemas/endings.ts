import { type SQL, sql } from 'drizzle-orm'
import { type Database, query, type SchemaRecord } from '../database/database.ts'
import type { ContentType } from './content-type.ts'
import type { Schemas } from './schemas-service.ts'

/**
 * The types whose files no longer enable an option that hides entries, while entries are still hidden by it. These
 * must not become public by accident, so the option stays on until an administrator decides about them.
 */
export interface Endings {
  /** Types without `draftAndPublish` that have unpublished entries. */
  readonly drafts: ReadonlySet<string>
  /** Types without `softDelete` that have entries in the trash. */
  readonly trash: ReadonlySet<string>
}

export const noEndings: Endings = { drafts: new Set(), trash: new Set() }

export async function findEndings(
  { types }: Schemas,
  database: Database,
  record: SchemaRecord,
): Promise<Endings> {
  const drafts = new Set<string>()
  const trash = new Set<string>()
  for (const type of types.values()) {
    if (await endsDrafts(type, database, record)) drafts.add(type.name)
    if (await endsTrash(type, database, record)) trash.add(type.name)
  }
  return { drafts, trash }
}

/**
 * Entries written without the column have no publication time although they are public. Drafts in the trash count
 * too, because restoring them must not publish them.
 */
async function endsDrafts({ table, options }: ContentType, database: Database, record: SchemaRecord) {
  if (options.draftAndPublish || !(await record.declared(table, 'published_at'))) return false
  const now = { now: new Date().toISOString() }
  return isAny(
    query(
      database,
      (value) => sql`select 1 as found from ${sql.identifier(table)}
        where published_at is null or published_at > ${value('now', 'datetime')} limit 1`,
    ).get(now),
  )
}

/** Includes entries that a process of an earlier version has deleted since: only a deletion sets the column. */
async function endsTrash({ table, options }: ContentType, database: Database, record: SchemaRecord) {
  if (options.softDelete || !(await record.exists(table, 'deleted_at'))) return false
  const text: SQL = sql`select 1 as found from ${sql.identifier(table)} where deleted_at is not null limit 1`
  return isAny(query(database, () => text).get())
}

const isAny = async (found: Promise<unknown>) => (await found) !== undefined
