import type { SQL } from 'drizzle-orm'
import type { Transaction, Value, Values } from '../../database/database.ts'
import type { SearchDocument } from '../document.ts'
import type { Term } from '../terms.ts'

/**
 * The full-text engine of a database. It creates its own tables, because they have virtual columns and
 * indexes that no other table has; other queries on the index use `table`, whose columns are the same with
 * every engine: `type`, `entry_id`, `locale`, `published_at`, `updated_at`.
 */
export interface SearchEngine {
  /** Creates missing tables; processes may do so concurrently. */
  prepare(): Promise<void>
  /** Runs with the next statement of the transaction. None of the documents may exist yet. */
  insert(documents: readonly SearchDocument[], tx: Transaction): void
  /** At most as many as a rebuild processes at once. */
  remove(type: string, entryIds: readonly number[], tx: Transaction): Promise<void>
  /** Called after many documents were rebuilt. */
  settle(): Promise<void>
  readonly table: string
  /** The `from` clause, with the alias `d` for the table. */
  readonly from: SQL
  /** True for documents that match the terms whose values are bound. */
  matches(value: Value): SQL
  /** Larger is better. */
  score(value: Value): SQL
  /** The search expression bound as `terms`; at least one of the terms must not be excluded. */
  expression(terms: readonly Term[]): string
  /** The values to bind for the terms. */
  valuesOf(terms: readonly Term[]): Values
}

/** How much more a word in the title counts than elsewhere. */
export const titleWeight = 8
