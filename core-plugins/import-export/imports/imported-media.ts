import { sql } from 'drizzle-orm'
import { type Database, query, type Transaction } from '../../database/database.ts'
import { mediaTable } from '../../media/media.ts'
import { importedMediaTable } from './tables.ts'

/** Which files were brought in already. */
export interface ImportedMedia {
  find(source: string): Promise<number | undefined>
  /** The file of the library that is served at a URL. */
  byUrl(url: string): Promise<number | undefined>
  remember(source: string, mediaId: number, tx: Transaction): Promise<void>
}

export function createImportedMedia(database: Database): ImportedMedia {
  const rows = importedMediaTable.on(database)
  const bySource = rows.find(['source'])
  const insertion = rows.insert({ ignoreDuplicates: true })
  const served = query(
    database,
    (value) => sql`select id from ${mediaTable} where url = ${value('url', 'string')} order by id limit 1`,
    mediaTable.pick('id'),
  )
  return {
    find: async (source) => (await bySource.get({ source }))?.mediaId,
    byUrl: async (url) => (url.length > 700 ? undefined : (await served.get({ url }))?.id),
    async remember(source, mediaId, tx) {
      await insertion.run({ source, mediaId }, tx)
    },
  }
}
