import type { SQL } from 'drizzle-orm'
import type { DialectName } from './dialect-name.ts'
import type { JsonDialect } from './json-dialect.ts'
import type { ColumnKind } from './tables/column-kind.ts'

/** The differences between the databases, as pieces of SQL. */
export interface Dialect {
  readonly name: DialectName
  /** Concatenates two texts. */
  concat(left: SQL, right: SQL): SQL
  /** Case folded for Unicode, accents kept; the same on every database. */
  fold(text: SQL): SQL
  /** Matches literally: `%` and `_` in `part` have no special meaning. Case-sensitive. */
  contains(text: SQL, part: SQL): SQL
  startsWith(text: SQL, part: SQL): SQL
  endsWith(text: SQL, part: SQL): SQL
  /** True if `value` is among the elements of the array bound to placeholder `name` (see `list`). */
  inList(value: SQL, name: string, kind: ColumnKind): SQL
  /**
   * False if an update or delete with `inList` would scan the whole table; `query` then writes the items out.
   */
  readonly isListFastInWrites: boolean
  /** The form in which an array is bound for `inList`. */
  list(items: readonly unknown[], kind: ColumnKind): unknown
  /** The degrees north and east of a column of kind `point`, in steps (see `stepsPerDegree`), as doubles. */
  latitude(column: SQL): SQL
  longitude(column: SQL): SQL
  /** Reads values inside columns of kind `json`. */
  readonly json: JsonDialect
  /** A placeholder for a value of a kind, with the cast that the database needs for an exact comparison. */
  placeholder(name: string, kind: ColumnKind): SQL
  /** A placeholder for the number of rows after `limit` or `offset`. */
  rowCount(name: string): SQL
  /** The form in which a value of a kind is bound. */
  bind(value: unknown, kind: ColumnKind): unknown
  /** Orders nulls first when ascending and last when descending, on every database. */
  orderBy(expression: SQL, direction: 'asc' | 'desc', nullable: boolean): SQL
  /** True if a related row has `value` as its key; false or unknown otherwise. */
  isRelated(value: SQL, related: RelatedRows): SQL
  /** The exact negation of `isRelated`, never unknown. */
  isUnrelated(value: SQL, related: RelatedRows): SQL
  /**
   * `from …` for the rows whose ids are returned by `page`, a select of a single column `id`. `page` runs first, even
   * if the planner would prefer otherwise because of its limit, and no other row is read.
   */
  fromPage(page: SQL, shown: ShownPage): SQL
  /**
   * The ids in `column` of all rows of a group, joined by commas, in the order of `orderBy`; null if there
   * are none.
   */
  joinIds(column: SQL, orderBy: SQL): SQL
  /** The expression that reads a column of a kind without loss. */
  select(column: SQL, kind: ColumnKind): SQL
  /**
   * A column cast to its declared kind, for processes that still run after a later version of the schema has given it
   * another type; a no-op where the database handles that itself. Indexes of the column can be used.
   */
  asDeclared(column: SQL, kind: ColumnKind): SQL
  /**
   * The exact sum of the numbers in `column`, of kind `decimal` whatever the column's kind; null over no rows. If one
   * number cannot hold it, several whose total it is. Ordering by each of them in turn orders by the sum.
   */
  sum(column: SQL, kind: ColumnKind): readonly SQL[]
  /** Ordering by these orders by a sum (see `sum`) divided by a count, to 30 digits; null for a count of 0. */
  quotient(sum: readonly SQL[], count: SQL): readonly SQL[]
  /** The smallest or largest value in `column`, of the column's kind; null over no rows. Not for JSON. */
  extreme(which: 'min' | 'max', column: SQL, kind: ColumnKind): SQL
  /** Whether the database runs in this process, so that saving a query matters more than saving a round trip. */
  readonly isInProcess: boolean
  /** False if a writer blocks all other writers, so that there are no row locks to wait for. */
  readonly hasRowLocks: boolean
  /** Locks the selected rows until the end of the transaction, if the database has row locks. */
  readonly forUpdate: SQL
  /**
   * Like `forUpdate`, for rows that will not be deleted: if the database distinguishes the two, other transactions
   * can still add foreign keys to them, and two rows that come to reference each other do not deadlock. Otherwise the
   * same object as `forUpdate`.
   */
  readonly forChange: SQL
  /**
   * Follows the table of a select with row locks that finds its rows by `id`. Without it, MariaDB may choose another
   * index that begins with the key, and then misses a row that is moved within that index while the select waits for
   * it.
   */
  readonly byPrimaryKey: SQL
  /**
   * Whether a select that had to wait for its locks sees the latest state of other tables. PostgreSQL reads them as
   * they were before, and re-reads only the locked rows.
   */
  readonly readsAfterLocks: boolean
  /** Like `forUpdate`, but skips rows that other transactions have locked. */
  readonly forUpdateSkipLocked: SQL
  /**
   * Whether an insert returns all generated ids, with `returning`. Otherwise it reports the first one, and the ids of
   * its other rows follow that.
   */
  readonly answersInsertedIds: boolean
  /**
   * Selects, as `step`, the difference between consecutive ids generated by one insert; missing if it is always 1.
   */
  readonly idStep?: SQL
  /** A random UUID as text, in lower case, for each row of an update. */
  readonly newUuid: SQL
  /** A single statement with inserts into different tables; missing if the database has none. */
  insertsTogether?(inserts: readonly SQL[]): SQL
  /** Appended to an insert: skips rows that a unique index rejects. `column` is any column of the table. */
  ignoreDuplicates(column: string): SQL
  /**
   * A query that moves the id counter past the ids in the table, after rows were inserted with explicit ids;
   * undefined if the database does so itself.
   */
  advanceIds(table: string, column: string): SQL | undefined
}

/** The table whose rows are shown. */
export interface ShownPage {
  readonly table: SQL
  /** Its column of ids. */
  readonly id: SQL
  /** Joins of further tables with at most one row per row: ` left join …`, or empty. */
  readonly joins: SQL
}

/**
 * Rows referenced by a value through one of their columns; their SQL does not depend on where the value comes from.
 */
export interface RelatedRows {
  readonly key: SQL
  readonly from: SQL
  readonly where: SQL
}
