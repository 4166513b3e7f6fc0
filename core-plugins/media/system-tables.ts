import { column, defineTable } from '../database/database.ts'

/** What is read of files beside their entries; the columns come with the system schemas. */
export const mediaTable = defineTable('svc_media', {
  id: column.id(),
  filename: column.string(),
  originalName: column.string(),
  mimeType: column.string(),
})

/** As `mediaTable`, of folders. */
export const foldersTable = defineTable('svc_media_folders', {
  id: column.id(),
  name: column.string(),
  // The id of the folder that it is in.
  parent: column.ofKind<number>('reference').named('parent_id').nullable(),
})
