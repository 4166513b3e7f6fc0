import type { ColumnSpec, IndexSpec } from '../database/database.ts'
import type { ContentType } from './content-type.ts'

/** The column of entries' UUIDs. Attribute names cannot start with an underscore, so none can collide with it. */
export const uuidColumn = '_uuid'

/** The length of a UUID as text. */
const uuidLength = 36

/** Whether entries of a type have a UUID: all except accounts and roles, which are identified by their names. */
export function hasUuid({ name, system }: ContentType): boolean {
  return !system || name === 'media' || name === 'media-folder'
}

/** Nullable, since rows that are older than the column have no UUID until one is assigned. */
export function uuidColumns(type: ContentType): ColumnSpec[] {
  return hasUuid(type) ? [{ name: uuidColumn, kind: 'string', length: uuidLength, nullable: true }] : []
}

export function uuidIndexes(type: ContentType): IndexSpec[] {
  return hasUuid(type) ? [{ columns: [uuidColumn], type: 'unique' }] : []
}
