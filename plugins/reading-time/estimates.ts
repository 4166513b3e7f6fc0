import { column, type Database, defineTable, type Queries, sql } from 'mortise/plugin'

/** How many words each entry has. */
export const estimatesTable = defineTable(
  'x_reading_time_estimates',
  { type: column.string(), entryId: column.integer(), words: column.integer() },
  { section: 'content', primaryKey: ['type', 'entryId'] },
)

export interface Estimates {
  /** Part of the write's transaction if `queries` is one. */
  save(queries: Queries, type: string, entryId: number, words: number): Promise<void>
  remove(queries: Queries, type: string, entryId: number): Promise<void>
  /** The number of words, if the entry has been measured. */
  find(type: string, entryId: number): Promise<number | undefined>
  /** The numbers of words by entry id, for entries that have been measured. */
  findAll(type: string, entryIds: readonly number[]): Promise<ReadonlyMap<number, number>>
}

/** Statements are prepared once; values are always bound, never concatenated into the SQL. */
export function createEstimates(database: Database): Estimates {
  const estimates = estimatesTable.on(database)
  const insertion = estimates.insert()
  const removal = estimates.delete(['type', 'entryId'])
  const selection = estimates.find(['type', 'entryId'])
  const { columns } = estimatesTable
  const several = estimates.find(
    (value, inList) =>
      sql`${columns.type} = ${value('type', 'string')} and ${inList(sql`${columns.entryId}`, 'entryIds', 'integer')}`,
  )
  return {
    async save(queries, type, entryId, words) {
      await removal.run({ type, entryId }, queries)
      await insertion.run({ type, entryId, words }, queries)
    },
    async remove(queries, type, entryId) {
      await removal.run({ type, entryId }, queries)
    },
    async find(type, entryId) {
      return (await selection.get({ type, entryId }))?.words
    },
    async findAll(type, entryIds) {
      const found = await several.all({ type, entryIds })
      return new Map(found.map(({ entryId, words }) => [entryId, words]))
    },
  }
}
