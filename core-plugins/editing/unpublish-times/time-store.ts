import { sql } from 'drizzle-orm'
import type { Database, InList, Queries, Transaction, Value } from '../../foundation/database/database.ts'
import { type UnpublishTimeRow, unpublishTimesTable } from './tables.ts'

export type UnpublishTime = Pick<UnpublishTimeRow, 'unpublishAt' | 'setBy'>

/** The rows of `svc_unpublish_times`. */
export interface TimeStore {
  /** The times by entry id, with one query. */
  find(type: string, ids: readonly number[], on?: Queries): Promise<ReadonlyMap<number, UnpublishTime>>
  /** The same, locked until the end of the transaction. */
  lock(type: string, ids: readonly number[], tx: Transaction): Promise<ReadonlyMap<number, UnpublishTime>>
  put(type: string, entryId: number, time: UnpublishTime, tx: Transaction): Promise<void>
  remove(type: string, ids: readonly number[], tx: Transaction): Promise<void>
  /** Makes the service the setter of all times, and returns them, a page at a time. */
  adopt(tx: Transaction): AsyncIterable<readonly UnpublishTimeRow[]>
}

const pageSize = 1000

export function createTimeStore(database: Database): TimeStore {
  const times = unpublishTimesTable.on(database)
  const { type, entryId, setBy } = unpublishTimesTable.columns
  const areNamed = (value: Value, inList: InList) =>
    sql`${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`
  const pick = ['entryId', 'unpublishAt', 'setBy'] as const
  const queries = {
    find: times.find(areNamed, { pick }),
    lock: times.find(areNamed, { pick, lock: true }),
    change: times.update(['unpublishAt', 'setBy', 'createdAt'], ['type', 'entryId']),
    insert: times.insert(),
    remove: times.delete(areNamed),
    adopt: times.update(['setBy'], () => sql`${setBy} is not null`),
    page: times.list(() => sql`1 = 1`, { orderBy: sql`${type}, ${entryId}` }),
  }
  const byId = (rows: readonly (UnpublishTime & { readonly entryId: number })[]) =>
    new Map(rows.map(({ entryId: id, ...time }) => [id, time]))
  return {
    find: async (name, entryIds, on) => byId(await queries.find.all({ type: name, entryIds }, on)),
    lock: async (name, entryIds, tx) => byId(await queries.lock.all({ type: name, entryIds }, tx)),
    async put(name, id, time, tx) {
      const row = { type: name, entryId: id, ...time, createdAt: new Date().toISOString() }
      const { changes } = await queries.change.run(row, tx)
      if (changes === 0) await queries.insert.run(row, tx)
    },
    async remove(name, entryIds, tx) {
      await queries.remove.run({ type: name, entryIds }, tx)
    },
    async *adopt(tx) {
      await queries.adopt.run({ setBy: null }, tx)
      for (let offset = 0; ; offset += pageSize) {
        const rows = await queries.page.all({ limit: pageSize, offset }, tx)
        yield rows
        if (rows.length < pageSize) return
      }
    },
  }
}
