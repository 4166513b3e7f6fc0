import { sql } from 'drizzle-orm'
import { type Database, query, type Transaction } from '../../foundation/database/database.ts'
import { type UsageRow, usageStateTable, usagesTable } from './tables.ts'
import type { Usage } from './usage-places.ts'

export interface EntryUsages {
  readonly type: string
  readonly entryId: number
  readonly usages: readonly Usage[]
}

/** The entries of a type with ids above `after` and up to `last`. */
export interface EntryRange {
  readonly type: string
  readonly after: number
  readonly last: number
}

/** An entry that refers to another one. */
export type ReferringId = Pick<UsageRow, 'type' | 'entryId' | 'isDraft' | 'target' | 'targetId'>

/** The rows of the index. */
export interface UsageStore {
  /** The entries that refer to entries of a type. */
  referringTo(to: { target: string; ids: readonly number[] }, tx: Transaction): Promise<ReferringId[]>
  /** If an entry is named several times, the last one counts. */
  replace(all: readonly EntryUsages[], tx: Transaction): Promise<void>
  replaceRange(range: EntryRange, all: readonly EntryUsages[], tx: Transaction): Promise<void>
  /** The types that have usages. */
  types(): Promise<string[]>
  fingerprint(): Promise<string | undefined>
  setFingerprint(fingerprint: string): Promise<void>
}

const stateName = 'usages'

export function createUsageStore(database: Database): UsageStore {
  const { insert, referringTo, remove, removeRange, types } = usageQueries(database)
  const state = stateQueries(database)

  const rowsOf = (all: readonly EntryUsages[]) =>
    all.flatMap(({ type, entryId, usages }) => usages.map((usage) => ({ ...usage, type, entryId })))

  return {
    referringTo: ({ target, ids }, tx) => referringTo.all({ target, ids }, tx),
    async replace(all, tx) {
      const last = [...new Map(all.map((each) => [`${each.entryId} ${each.type}`, each])).values()]
      for (const type of new Set(last.map((each) => each.type))) {
        const entryIds = last.filter((each) => each.type === type).map(({ entryId }) => entryId)
        await remove.run({ type, entryIds }, tx)
      }
      await insert(rowsOf(last), tx)
    },
    async replaceRange(range, all, tx) {
      await removeRange.run({ ...range }, tx)
      await insert(rowsOf(all), tx)
    },
    types: async () => (await types.all()).map(({ type }) => type),
    fingerprint: async () => (await state.find.get({ name: stateName }))?.fingerprint,
    setFingerprint: (fingerprint) =>
      database.transaction(async (tx) => {
        await state.remove.run({ name: stateName }, tx)
        await state.insert.run({ name: stateName, fingerprint }, tx)
      }),
  }
}

function usageQueries(database: Database) {
  const usages = usagesTable.on(database)
  const { type, entryId, target, targetId } = usagesTable.columns
  return {
    insert: usages.insertMany(),
    referringTo: usages.find(
      (value, inList) => sql`${target} = ${value(target)} and ${inList(targetId, 'ids')}`,
      { pick: ['type', 'entryId', 'isDraft', 'target', 'targetId'] },
    ),
    remove: usages.delete(
      (value, inList) => sql`${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`,
    ),
    removeRange: usages.delete(
      (value) => sql`${type} = ${value(type)} and ${entryId} > ${value(entryId, 'after')}
        and ${entryId} <= ${value(entryId, 'last')}`,
    ),
    types: query(database, () => sql`select distinct ${type} from ${usagesTable}`, { type }),
  }
}

function stateQueries(database: Database) {
  const state = usageStateTable.on(database)
  return {
    find: state.find(['name']),
    remove: state.delete(['name']),
    // Two processes that start at the same time both note that there are no entries.
    insert: state.insert({ ignoreDuplicates: true }),
  }
}
