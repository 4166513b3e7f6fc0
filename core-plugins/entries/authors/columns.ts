import type { ColumnSpec } from '../../foundation/database/database.ts'
import type { ContentTable } from '../../foundation/schemas/schemas.ts'
import type { EntryColumns } from '../content/content.ts'

/*
 * Attribute names cannot start with an underscore, so these columns cannot clash with them. They are in the
 * tables of entries because a write then stores them without a further statement.
 */

/** `admin:7`, as the audit log names who acts; null: unknown, or anonymous. */
export const createdByColumn = '_created_by'
export const updatedByColumn = '_updated_by'
/** The name at that time. */
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
