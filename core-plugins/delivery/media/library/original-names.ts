import type { Database } from '../../../foundation/database/database.ts'
import { mediaTable } from '../system-tables.ts'

/** Finds the original names of files by their keys. */
export function createOriginalNames(database: Database): (key: string) => Promise<string | undefined> {
  const selection = mediaTable.on(database).find(['filename'], { pick: ['originalName'] })
  return async (filename) => (await selection.get({ filename }))?.originalName
}
