import type { ColumnSpec } from '../../foundation/database/database.ts'
import type { ContentTable } from '../../foundation/schemas/schemas.ts'
import type { EntryColumns } from '../content/content.ts'

/*
 * Attribute names cannot start with an underscore, so they cannot clash with these columns. The columns are in the tables of
 * entries, so that a write stores them without a further statement.
 */

/** `admin:7`, in the form in which the audit log names actors; null: unknown, or anonymous. */
export const createdByColumn = '_created_by'
export const updatedByColumn = '_updated_by'
/** The author's name at the time of the write. */
export const createdByNameColumn = '_created_by_name'
export const updatedByNameColumn = '_updated_by_name'

const maxActorLength = 32
/** Short, because MySQL limits the length of all columns together. */
export const maxNameLength = 64

const specs: readonly ColumnSpec[] = [
  { name: createdByColumn, kind: 'string', length: maxActorLength, nullable: true },
  { name: createdByNameColumn, kind: 'string', length: maxNameLength, nullable: true },
  { name: updatedByColumn, kind: 'string', length: maxActorLength, nullable: true },
  { name: updatedByNameColumn, kind: 'string', length: maxNameLength, nullable: true },
]

export const authorColumns: EntryColumns = ({ system }) =>
  system ? [] : specs.map(({ name, kind }) => ({ column: name, kind, field: name, isShown: false }))

export const authorTable: ContentTable = ({ system }, table) =>
  system ? table : { ...table, columns: [...table.columns, ...specs] }
