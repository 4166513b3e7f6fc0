import { column, defineTable } from '../../foundation/database/database.ts'

/** Columns of files that are read directly, without the entries API; the system schemas declare them. */
export const mediaTable = defineTable('svc_media', {
  id: column.id(),
  filename: column.string(),
  originalName: column.string(),
  mimeType: column.string(),
  width: column.integer().nullable(),
  height: column.integer().nullable(),
  focalX: column.decimal().nullable(),
  focalY: column.decimal().nullable(),
  untouched: column.string(100).nullable(),
})

/** Like `mediaTable`, for folders. */
export const foldersTable = defineTable('svc_media_folders', {
  id: column.id(),
  name: column.string(),
  // The id of the folder that contains it.
  parent: column.ofKind<number>('reference').named('parent_id').nullable(),
})
