import { sql } from 'drizzle-orm'
import type { PendingDraft, PendingDrafts } from '../content/content.ts'
import {
  type Columns,
  type Database,
  insertInto,
  query,
  selectList,
  type Value,
} from '../database/database.ts'
import type { ContentType } from '../schemas/schemas.ts'
import { draftsTable } from './tables.ts'

interface DraftRow {
  readonly entryId: number
  readonly data: string
  readonly updatedAt: string
}

const columns = {
  entryId: { column: 'entry_id', kind: 'integer' },
  data: { column: 'data', kind: 'text' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
} as const satisfies Columns

const inserted = {
  ...columns,
  type: { column: 'type', kind: 'string' },
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns

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
  const table = sql.identifier(draftsTable.name)
  const ofType = (value: Value) => sql`type = ${value('type', 'string')}`
  return {
    load: query<DraftRow>(
      database,
      (value, inList) => sql`select ${selectList(database, columns)} from ${table}
        where ${ofType(value)} and ${inList(sql`entry_id`, 'entryIds', 'integer')}`,
      columns,
    ),
    change: query(
      database,
      (value) => sql`update ${table} set data = ${value('data', 'text')},
        updated_at = ${value('updatedAt', 'datetime')}
        where ${ofType(value)} and entry_id = ${value('entryId', 'integer')}`,
    ),
    insert: query(database, (value) => insertInto(draftsTable.name, inserted, value)),
    remove: query(
      database,
      (value, inList) => sql`delete from ${table}
        where ${ofType(value)} and ${inList(sql`entry_id`, 'entryIds', 'integer')}`,
    ),
  }
}

/** Under the present names of the attributes; those of attributes that are gone went with them. */
function draftIn({ attributes }: ContentType, { data, updatedAt }: DraftRow): PendingDraft {
  const stored = JSON.parse(data) as Record<string, unknown>
  const values: Record<string, unknown> = {}
  for (const { name, renamedFrom } of attributes.values()) {
    const known = Object.hasOwn(stored, name) ? name : renamedFrom
    if (known === undefined || !Object.hasOwn(stored, known)) continue
    if (known === name || !attributes.has(known)) values[name] = stored[known]
  }
  return { values, updatedAt }
}
