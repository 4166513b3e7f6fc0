import type { SQL } from 'drizzle-orm'
import type { Transaction, Value, Values } from '../../../foundation/database/database.ts'
import type { Clause } from '../clauses.ts'
import type { DocumentRow } from './document-row.ts'

/**
 * The full-text engine of a database. It creates its own tables, because they have virtual columns and
 * indexes that no other table has; other queries on the index use `table`, whose columns are the same with
 * every engine: those of `documentColumns`.
 */
export interface SearchEngine {
  /** Creates missing tables; processes may do so concurrently. */
  prepare(): Promise<void>
  /** Inserts rows made by `rowOf` with the next statement of the transaction. None of the documents may exist yet. */
  insert(rows: readonly DocumentRow[], tx: Transaction): void
  /** `entryIds` are at most as many as a rebuild processes at once. */
  remove(type: string, entryIds: readonly number[], tx: Transaction): Promise<void>
  /** Called after many documents were rebuilt. */
  settle(): Promise<void>
  readonly table: string
  /** Searches words in all fields. */
  readonly anywhere: SearchScope
  /** Searches words in certain fields (see `fieldWordToken`). */
  readonly byField: SearchScope
  /** The search expression to bind as `terms`; at least one of the clauses must not be excluded. */
  expression(clauses: readonly Clause[]): string
  /** The values to bind for the clauses. */
  valuesOf(clauses: readonly Clause[]): Values
}

/** One of the two full-text indexes. */
export interface SearchScope {
  /** The `from` clause, with the alias `d` for the table. */
  readonly from: SQL
  /** True for documents that match the clauses whose values are bound. */
  matches(value: Value): SQL
  /** Larger is better. */
  score(value: Value): SQL
  /** To sort by: larger for documents that match the expression bound as `exact`. */
  isExact(value: Value): SQL
}

/** How much more a word in the title counts than elsewhere. */
export const titleWeight = 8
