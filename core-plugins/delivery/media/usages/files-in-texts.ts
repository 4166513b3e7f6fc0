import { setImmediate as otherWork } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Database, type Queries, query } from '../../../foundation/database/database.ts'
import { baseOf } from '../files/base-of.ts'
import { formerFilesTable } from '../files/former-files.ts'
import { imageExtensions } from '../identify/file-types.ts'
import { mediaTable } from '../system-tables.ts'

/** Finds the records of files that texts name. */
export interface FilesInTexts {
  /**
   * The ids of the records that have, or had before a replacement, files or thumbnails with these names, by name. Unknown
   * names are left out.
   */
  idsOf(keys: Iterable<string>, on: Queries): Promise<ReadonlyMap<string, number>>
}

/** The number of names per query, since a text may contain very many. */
const mostAtOnce = 250

export function createFilesInTexts(database: Database): FilesInTexts {
  const queries = fileQueries(database)

  async function idsByBase(keys: readonly string[], on: Queries): Promise<Map<string, number>> {
    const present = await queries.present.all({ filenames: keys.flatMap(filenamesOf) }, on)
    const ids = new Map(present.map(({ id, filename }) => [baseOf(filename), id]))
    const bases = new Set(keys.map(baseOf).filter((base) => !ids.has(base)))
    if (bases.size === 0) return ids
    for (const { base, id } of await queries.former.all({ bases: [...bases] }, on)) ids.set(base, id)
    return ids
  }

  return {
    async idsOf(keys, on) {
      const all = [...new Set(keys)]
      const found = new Map<string, number>()
      for (let from = 0; from < all.length; from += mostAtOnce) {
        // SQLite queries block this thread, and a text of a megabyte may contain 25,000 names.
        if (from > 0) await otherWork()
        const some = all.slice(from, from + mostAtOnce)
        const ids = await idsByBase(some, on)
        for (const key of some) {
          const id = ids.get(baseOf(key))
          if (id !== undefined) found.set(key, id)
        }
      }
      return found
    },
  }
}

function fileQueries(database: Database) {
  const { id, filename } = mediaTable.columns
  const { base, mediaId } = formerFilesTable.columns
  return {
    present: mediaTable
      .on(database)
      .find((_, inList) => inList(filename, 'filenames'), { pick: ['id', 'filename'] }),
    // Joined, since former names of a deleted record may still exist.
    former: query<{ base: string; id: number }>(
      database,
      (_, inList) => sql`select ${base}, ${id} from ${formerFilesTable}
        join ${mediaTable} on ${id} = ${mediaId} where ${inList(base, 'bases')}`,
      { base, id },
    ),
  }
}

/** The file itself; for a thumbnail (always WebP) the names of all images that it may belong to. */
function filenamesOf(key: string): readonly string[] {
  return key.includes('_') ? imageExtensions.map((extension) => `${baseOf(key)}.${extension}`) : [key]
}
