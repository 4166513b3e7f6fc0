import { mediaTable } from '../../../delivery/media/media.ts'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import { importedMediaTable } from './tables.ts'

/** Remembers which files were imported. */
export interface ImportedMedia {
  find(source: string): Promise<number | undefined>
  /** The id of the file in the library with this key. */
  byKey(filename: string): Promise<number | undefined>
  remember(source: string, mediaId: number, tx: Transaction): Promise<void>
}

export function createImportedMedia(database: Database): ImportedMedia {
  const rows = importedMediaTable.on(database)
  const bySource = rows.find(['source'])
  const insertion = rows.insert({ ignoreDuplicates: true })
  const byFilename = mediaTable.on(database).find(['filename'], { pick: ['id'] })
  return {
    find: async (source) => (await bySource.get({ source }))?.mediaId,
    byKey: async (filename) => (await byFilename.get({ filename }))?.id,
    async remember(source, mediaId, tx) {
      await insertion.run({ source, mediaId }, tx)
    },
  }
}
