import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { ColumnKind } from './column-kind.ts'
import type { JsonShape } from './json-shape.ts'

/** A column, the same for all databases. */
export interface ColumnSpec {
  /** snake_case. */
  readonly name: string
  readonly kind: ColumnKind
  /** Length of a `string` in characters; default 255. */
  readonly length?: number
  /** Default: false. */
  readonly nullable?: boolean
  /** Given to existing rows when a column that may not be null is added. */
  readonly default?: string | number | boolean | null
  /**
   * The structure of its values, for the kind `json`; stored values are converted when it changes. Default: any JSON.
   */
  readonly shape?: JsonShape
  /** The column's earlier name; its data is taken over. */
  readonly renamedFrom?: string
  /** A column from which existing rows get their values when this one is added, or declared again. */
  readonly filledFrom?: string
  /** The plugin that adds it to a table of another plugin; named in the preview once it is no longer declared. */
  readonly plugin?: string
}

/** An index, the same for all databases. */
export interface IndexSpec {
  readonly columns: readonly string[]
  /** The columns with descending order, so that the index serves mixed sort orders. */
  readonly descending?: readonly string[]
  /** `unique` distinguishes case, accents and trailing spaces; nulls never collide. */
  readonly type: 'index' | 'unique' | 'fulltext'
}

/** A foreign key, and what happens to the row when its target is deleted. */
export interface ReferenceSpec {
  readonly column: string
  /** The table whose `id` the column holds. */
  readonly table: string
  readonly onDelete: 'cascade' | 'set null' | 'restrict'
}

/** A table, the same for all databases. */
export interface TableSpec {
  readonly name: string
  /** The first one of kind `id`, if any, is the primary key and auto-incrementing. */
  readonly columns: readonly ColumnSpec[]
  /** For tables without an `id` column. */
  readonly primaryKey?: readonly string[]
  readonly indexes?: readonly IndexSpec[]
  readonly references?: readonly ReferenceSpec[]
  readonly endingDrafts?: EndingDrafts
  readonly endingTrash?: EndingTrash
  /** The section of backups that contains its rows; by default they are not backed up. */
  readonly section?: TableSection
  /** The plugin whose entries it holds; named in the preview once it is no longer declared. */
  readonly plugin?: string
}

/** Specification, "Backup sections": data that belongs to entries, or to files, but is stored in other tables. */
export type TableSection = 'content' | 'media'

/** A table that no longer hides rows by a time of publication, although some rows are still hidden. */
export interface EndingDrafts {
  /** The type that decisions name for these rows. */
  readonly type: string
  /** The time of publication. */
  readonly column: string
}

/** A table that no longer hides rows by a time of deletion, although some rows are still hidden. */
export interface EndingTrash {
  /** The type that decisions name for these rows. */
  readonly type: string
  /** The time of deletion. */
  readonly column: string
}

/** Tables of all plugins; contribute in `register` or `init`. They exist once the database has booted. */
export const tables: ExtensionPoint<TableSpec> = extensionPoint('tables')
