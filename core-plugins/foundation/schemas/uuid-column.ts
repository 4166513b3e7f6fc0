import type { ColumnSpec, IndexSpec } from '../database/database.ts'
import type { ContentType } from './content-type.ts'

/** The column of entries' UUIDs. Names of attributes cannot start with an underscore, so none has this one. */
export const uuidColumn = '_uuid'

/** The length of a UUID as text. */
const uuidLength = 36

/** Whether entries of a type have a UUID: all but accounts and roles, which are known by their names. */
export function hasUuid({ name, system }: ContentType): boolean {
  return !system || name === 'media' || name === 'media-folder'
}

/** Rows from before the column have none until they are given one, so it is nullable. */
export function uuidColumns(type: ContentType): ColumnSpec[] {
  return hasUuid(type) ? [{ name: uuidColumn, kind: 'string', length: uuidLength, nullable: true }] : []
}

export function uuidIndexes(type: ContentType): IndexSpec[] {
  return hasUuid(type) ? [{ columns: [uuidColumn], type: 'unique' }] : []
}
