import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import { type UsageRow, usageStateTable, usagesTable } from './tables.ts'

/** An entry that refers to another one. */
export type ReferringId = Pick<UsageRow, 'type' | 'entryId' | 'isDraft' | 'target' | 'targetId'>

/** The rows of the index. */
export interface UsageStore {
  /** The entries that refer to entries of a type. */
  referringTo(to: { target: string; ids: readonly number[] }, tx: Transaction): Promise<ReferringId[]>
  insert(rows: readonly UsageRow[], tx: Transaction): Promise<void>
  fingerprint(): Promise<string | undefined>
  setFingerprint(fingerprint: string): Promise<void>
}

const stateName = 'usages'

export function createUsageStore(database: Database): UsageStore {
  const usages = usagesTable.on(database)
  const { target: targetColumn, targetId } = usagesTable.columns
  const insert = usages.insertMany()
  const referringTo = usages.find(
    (value, inList) => sql`${targetColumn} = ${value(targetColumn)} and ${inList(targetId, 'ids')}`,
    { pick: ['type', 'entryId', 'isDraft', 'target', 'targetId'] },
  )
  const state = stateQueries(database)
  return {
    referringTo: ({ target, ids }, tx) => referringTo.all({ target, ids }, tx),
    async insert(rows, tx) {
      await insert(rows, tx)
    },
    fingerprint: async () => (await state.find.get({ name: stateName }))?.fingerprint,
    setFingerprint: (fingerprint) =>
      database.transaction(async (tx) => {
        await state.remove.run({ name: stateName }, tx)
        await state.insert.run({ name: stateName, fingerprint }, tx)
      }),
  }
}

function stateQueries(database: Database) {
  const state = usageStateTable.on(database)
  return {
    find: state.find(['name']),
    remove: state.delete(['name']),
    // Two processes that start at the same time may both record that there are no entries.
    insert: state.insert({ ignoreDuplicates: true }),
  }
}
