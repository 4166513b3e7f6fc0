import { type SQLWrapper, sql } from 'drizzle-orm'
import { type ExtensionPoint, extensionPoint, groupBy } from '../../../../kernel/index.ts'
import { type Database, query, type TableColumn, untilCommit } from '../../../foundation/database/database.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { isForGood } from '../write-context.ts'
import type { WriteStage } from '../write-middleware.ts'

/**
 * A table whose rows belong to entries, such as their workflow states. An entry's rows are deleted in the transaction that
 * deletes the entry for good, not when it moves to the trash.
 */
export interface EntryTable {
  /** What `defineTable` returns, with columns `type` (the singular name of the content type) and `entryId`. */
  readonly table: SQLWrapper & {
    readonly columns: { readonly type: TableColumn<string>; readonly entryId: TableColumn<number> }
  }
  /** The types whose entries may have rows; other types cost no statement. */
  matches(type: ContentType): boolean
}

/** Contribute in `init`. */
export const entryTables: ExtensionPoint<EntryTable> = extensionPoint('entryTables')

/** Deletes the rows of deleted entries: one statement per table and type, however many entries a transaction deletes. */
export function emptyEntryTables(database: Database, tables: () => readonly EntryTable[]): WriteStage {
  const removals = new WeakMap<EntryTable, ReturnType<typeof removalFrom>>()
  const removalOf = (table: EntryTable) => {
    const removal = removals.get(table) ?? removalFrom(table, database)
    removals.set(table, removal)
    return removal
  }
  const forget = untilCommit<{ readonly type: ContentType; readonly id: number }>(async (gone, tx) => {
    const runs = [...groupBy(gone, ({ type }) => type)].flatMap(([type, some]) => {
      const values = { type: type.name, entryIds: [...new Set(some.map(({ id }) => id))] }
      return tables().flatMap((table) => (table.matches(type) ? removalOf(table).run(values, tx) : []))
    })
    await Promise.all(runs)
  })
  return {
    name: 'content: empty tables of entries',
    matches: ({ type, operation }) => operation === 'delete' && tables().some((table) => table.matches(type)),
    async run(context, next) {
      const entry = await next()
      if (isForGood(context)) forget(context.tx, { type: context.type, id: entry.id })
      return entry
    },
  }
}

function removalFrom({ table }: EntryTable, database: Database) {
  const { type, entryId } = table.columns
  return query(
    database,
    (value, inList) =>
      sql`delete from ${table} where ${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`,
  )
}
