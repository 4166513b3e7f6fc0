import { sql } from 'drizzle-orm'
import { groupBy } from '../../../kernel/index.ts'
import { type Database, query, type Transaction } from '../../foundation/database/database.ts'
import type { NamedIn, UsageKind } from './usage-kind.ts'

/** The entries of a type with ids above `after` and up to `last`. */
export interface EntryRange {
  readonly type: string
  readonly after: number
  readonly last: number
}

/** An entry that a write has changed. */
export interface Written<Place> extends NamedIn<Place> {
  /** Whether the index may already contain the entry. */
  readonly isKnown: boolean
}

/** The rows of an index. */
export interface UsageRows<Place> {
  /** Replaces the rows of entries. If an entry occurs several times, the last occurrence counts. */
  replace(all: readonly Written<Place>[], tx: Transaction): Promise<void>
  replaceRange(range: EntryRange, all: readonly NamedIn<Place>[], tx: Transaction): Promise<void>
  /** The types with rows in the index. */
  types(): Promise<string[]>
}

export function createUsageRows<Place>(kind: UsageKind<Place>, database: Database): UsageRows<Place> {
  const { table } = kind
  const { type, entryId } = table.columns
  const remove = query(
    database,
    (value, inList) =>
      sql`delete from ${table} where ${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`,
  )
  const removeRange = query(
    database,
    (value) => sql`delete from ${table} where ${type} = ${value(type)}
      and ${entryId} > ${value(entryId, 'after')} and ${entryId} <= ${value(entryId, 'last')}`,
  )
  const types = query(database, () => sql`select distinct ${type} from ${table}`, { type })

  return {
    async replace(all, tx) {
      const known = all.filter(({ isKnown }) => isKnown)
      for (const [name, some] of groupBy(known, (each) => each.type)) {
        const entryIds = [...new Set(some.map((each) => each.entryId))]
        await remove.run({ type: name, entryIds }, tx)
      }
      const last = new Map(all.map((each) => [`${each.entryId} ${each.type}`, each]))
      await kind.insert([...last.values()], tx)
    },
    async replaceRange(range, all, tx) {
      await removeRange.run({ ...range }, tx)
      await kind.insert(all, tx)
    },
    types: async () => (await types.all()).map((row) => row.type),
  }
}
