import { sql } from 'drizzle-orm'
import type { Database, Queries, TableSpec } from '../../core-plugins/database/database.ts'

/** How many words each entry has. */
export const estimatesTable: TableSpec = {
  name: 'x_reading_time_estimates',
  columns: [
    { name: 'type', kind: 'string' },
    { name: 'entry_id', kind: 'integer' },
    { name: 'words', kind: 'integer' },
  ],
  primaryKey: ['type', 'entry_id'],
}

export interface Estimates {
  /** Within the transaction of the write where `queries` is one. */
  save(queries: Queries, type: string, entryId: number, words: number): Promise<void>
  remove(queries: Queries, type: string, entryId: number): Promise<void>
  /** The number of words, if the entry has been measured. */
  find(type: string, entryId: number): Promise<number | undefined>
}

/** Statements are prepared once; values are always bound, never put into the text. */
export function createEstimates(database: Database): Estimates {
  const table = sql.identifier(estimatesTable.name)
  const { dialect } = database
  const type = dialect.placeholder('type', 'string')
  const entryId = dialect.placeholder('entryId', 'integer')
  const words = dialect.placeholder('words', 'integer')
  const matches = sql`type = ${type} and entry_id = ${entryId}`
  const insertion = database.prepare(
    sql`insert into ${table} (type, entry_id, words) values (${type}, ${entryId}, ${words})`,
  )
  const removal = database.prepare(sql`delete from ${table} where ${matches}`)
  const selection = database.prepare<{ words: number }>(sql`select words from ${table} where ${matches}`, {
    words: 'integer',
  })
  return {
    async save(queries, type, entryId, words) {
      await queries.run(removal, { type, entryId })
      await queries.run(insertion, { type, entryId, words })
    },
    async remove(queries, type, entryId) {
      await queries.run(removal, { type, entryId })
    },
    async find(type, entryId) {
      return (await database.get(selection, { type, entryId }))?.words
    },
  }
}
