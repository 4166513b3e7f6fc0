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
  /** What its values consist of, for the kind `json`; they are converted when that changes. Default: anything. */
  readonly shape?: JsonShape
  /** The column's earlier name; its data is taken over. */
  readonly renamedFrom?: string
  /** A column whose values existing rows get when this one is added, or declared again. */
  readonly filledFrom?: string
  /** The plugin that adds it to a table of somebody else; named in the preview once it is undeclared. */
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
  /** The section of backups that its rows go with; default: they are in none. */
  readonly section?: TableSection
  /** The plugin whose entries it holds; named in the preview once it is undeclared. */
  readonly plugin?: string
}

/** Specification, "Backup sections": data that belongs to entries, or to files, but lives in other tables. */
export type TableSection = 'content' | 'media'

/** A table whose rows are no longer hidden by a time of publication, while some still are. */
export interface EndingDrafts {
  /** The name of the rows in decisions about them. */
  readonly type: string
  /** The time of publication. */
  readonly column: string
}

/** A table whose rows are no longer hidden by a time of deletion, while some still are. */
export interface EndingTrash {
  /** The name of the rows in decisions about them. */
  readonly type: string
  /** The time of deletion. */
  readonly column: string
}

/** Tables of all plugins; contribute in `register` or `init`. They exist once the database has booted. */
export const tables: ExtensionPoint<TableSpec> = extensionPoint('tables')
