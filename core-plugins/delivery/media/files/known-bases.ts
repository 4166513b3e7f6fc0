import { sql } from 'drizzle-orm'
import { column, type Database, defineTable, query } from '../../../foundation/database/database.ts'
import { isBase } from '../settings.ts'

const maxLength = 500

/** The present and former bases of file addresses, so that addresses that are already in use continue to work. */
export const basesTable = defineTable(
  'svc_media_bases',
  { base: column.string(maxLength) },
  { section: 'media', primaryKey: ['base'] },
)

/** Remembers the bases under which files have been served. */
export interface KnownBases {
  /** The bases that were known at the start, and the present one. */
  list(): readonly string[]
  /** Reads the bases and adds the present one. */
  open(present: string): Promise<void>
}

export function createKnownBases(database: Database): KnownBases {
  const rows = basesTable.on(database)
  const all = rows.find([])
  // Several processes may start at the same time.
  const insertion = rows.insert({ ignoreDuplicates: true })
  const stored = query<{ base: string }>(
    database,
    () => sql`select distinct substr(url, 1, length(url) - length(filename) - 1) as base from svc_media`,
    { base: { column: 'base', kind: 'string' } },
  )
  let found: readonly string[] = []

  /** For databases older than the table, the bases are taken from the addresses in the records. */
  const ofRecords = async () => (await stored.all()).map(({ base }) => base).filter(isBase)

  return {
    list: () => found,
    async open(present) {
      const known = (await all.all()).map(({ base }) => base)
      const first = known.length === 0 ? await ofRecords() : []
      const missing = new Set([...first, present].filter(({ length }) => length <= maxLength))
      for (const base of known) missing.delete(base)
      if (missing.size > 0) {
        await database.transaction(async (tx) => {
          for (const base of missing) await insertion.run({ base }, tx)
        })
      }
      found = [...known, ...missing]
    },
  }
}
