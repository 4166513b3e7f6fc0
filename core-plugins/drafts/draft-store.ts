import { sql } from 'drizzle-orm'
import type { PendingDraft, PendingDrafts } from '../content/content.ts'
import type { Database, InList, Value } from '../database/database.ts'
import type { ContentType } from '../schemas/schemas.ts'
import { type DraftRow, draftsTable } from './tables.ts'

/** The rows of `svc_drafts`. */
export function createDraftStore(database: Database): PendingDrafts {
  const queries = draftQueries(database)
  return {
    matches: ({ options }) => options.draftOverlay,
    async load(type, entryIds, on) {
      const rows = await queries.load.all({ type: type.name, entryIds }, on)
      return new Map(rows.map((row) => [row.entryId, draftIn(type, row)]))
    },
    async save({ name }, entryId, { values, updatedAt }, tx) {
      const row = { type: name, entryId, data: JSON.stringify(values), updatedAt }
      const { changes } = await queries.change.run(row, tx)
      if (changes === 0) await queries.insert.run({ ...row, createdAt: updatedAt }, tx)
    },
    async remove({ name }, entryIds, tx) {
      await queries.remove.run({ type: name, entryIds }, tx)
    },
  }
}

function draftQueries(database: Database) {
  const drafts = draftsTable.on(database)
  const { type, entryId } = draftsTable.columns
  const areNamed = (value: Value, inList: InList) =>
    sql`${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`
  return {
    load: drafts.find(areNamed, { pick: ['entryId', 'data', 'updatedAt'] }),
    change: drafts.update(['data', 'updatedAt'], ['type', 'entryId']),
    insert: drafts.insert(),
    remove: drafts.delete(areNamed),
  }
}

/** Under the current names of the attributes; skips values of attributes that no longer exist. */
function draftIn(
  { attributes }: ContentType,
  { data, updatedAt }: Pick<DraftRow, 'data' | 'updatedAt'>,
): PendingDraft {
  const stored = JSON.parse(data) as Record<string, unknown>
  const values: Record<string, unknown> = {}
  for (const { name, renamedFrom } of attributes.values()) {
    const known = Object.hasOwn(stored, name) ? name : renamedFrom
    if (known === undefined || !Object.hasOwn(stored, known)) continue
    if (known === name || !attributes.has(known)) values[name] = stored[known]
  }
  return { values, updatedAt }
}
