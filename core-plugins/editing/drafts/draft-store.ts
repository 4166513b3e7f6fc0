import { sql } from 'drizzle-orm'
import type { AttributeHistory, PendingDrafts } from '../../entries/content/content.ts'
import type { Database, InList, Value } from '../../foundation/database/database.ts'
import { draftsTable } from './tables.ts'

/** The rows of `svc_drafts`. */
export function createDraftStore(database: Database, history: AttributeHistory): PendingDrafts {
  const queries = draftQueries(database)
  return {
    matches: ({ options }) => options.draftOverlay,
    async load(type, entryIds, on) {
      const rows = await queries.load.all({ type: type.name, entryIds }, on)
      return new Map(
        rows.map(({ entryId, data, names, updatedAt }) => {
          const values = history.current(type.name, JSON.parse(data), names)
          return [entryId, { values, updatedAt }]
        }),
      )
    },
    async save({ name }, entryId, { values, updatedAt }, tx) {
      const row = { type: name, entryId, data: JSON.stringify(values), names: history.names(), updatedAt }
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
    load: drafts.find(areNamed, { pick: ['entryId', 'data', 'names', 'updatedAt'] }),
    change: drafts.update(['data', 'names', 'updatedAt'], ['type', 'entryId']),
    insert: drafts.insert(),
    remove: drafts.delete(areNamed),
  }
}
