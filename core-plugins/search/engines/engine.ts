import type { SQL } from 'drizzle-orm'
import type { Transaction, Value, Values } from '../../database/database.ts'
import type { SearchDocument } from '../document.ts'
import type { Term } from '../terms.ts'

/**
 * The full-text engine of a database. Its tables have virtual columns and indexes that no other table has, so it makes
 * them by itself; whatever else is in the index can be asked of `table`, whose columns are the same everywhere: `type`,
 * `entry_id`, `locale`, `published_at`, `updated_at`.
 */
export interface SearchEngine {
  /** Makes the tables where they are not there yet; processes may do so at the same time. */
  prepare(): Promise<void>
  /** With the next statement of the transaction. None of the documents may be there yet. */
  insert(documents: readonly SearchDocument[], tx: Transaction): void
  /** At most as many as a rebuild takes at a time. */
  remove(type: string, entryIds: readonly number[], tx: Transaction): Promise<void>
  /** After many documents were made anew. */
  settle(): Promise<void>
  readonly table: string
  /** What to select from, with `d` for the table. */
  readonly from: SQL
  /** Holds for documents with the terms whose values are bound. */
  matches(value: Value): SQL
  /** Larger is better. */
  score(value: Value): SQL
  /** What `matches` is about, as the value `terms`: terms, one at least of which is not excluded. */
  expression(terms: readonly Term[]): string
  /** The values of such terms. */
  valuesOf(terms: readonly Term[]): Values
}

/** How much more a word in the title counts than one elsewhere. */
export const titleWeight = 8
