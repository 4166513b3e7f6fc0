import type { ColumnKind } from '../tables/column-kind.ts'

/** A row as the driver returns it: values by column alias, decoded to application values. */
export type Row = Record<string, unknown>

/** Values for the placeholders (`sql.placeholder(name)`) of a statement. */
export type Values = Readonly<Record<string, unknown>>

/**
 * A query whose text is built once and run many times. `columns` gives the kind of each selected alias, so
 * that rows come back as application values; aliases not named come back as the driver returns them.
 */
export interface Statement<R = Row> {
  readonly text: string
  /** Never set: it only carries the row's type. */
  readonly row?: R
}

/** The kinds of selected columns by alias. */
export type ColumnKinds = Readonly<Record<string, ColumnKind>>

/** How a statement is run. */
export interface StatementOptions {
  /**
   * A read that may take the database long. Outside transactions it runs on one of a few dedicated connections, where
   * it does not block other queries, may take `database.readTimeoutMs`, and is cancelled when its recipient is gone.
   */
  readonly isCostly?: boolean
}
