import { sql } from 'drizzle-orm'
import type { SystemEntries } from '../../../entries/content/content.ts'
import type { Database, RowOf, Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { foldersTable } from '../system-tables.ts'

export interface FolderNode extends RowOf<typeof foldersTable> {
  /** By name. */
  readonly children: FolderNode[]
}

/** All folders as a tree, the top level first. */
export function createFolderTree(database: Database) {
  const { id, name } = foldersTable.columns
  const all = foldersTable.on(database).find([], { orderBy: sql`${name}, ${id}` })
  return {
    async read(): Promise<FolderNode[]> {
      const nodes = (await all.all()).map((folder): FolderNode => ({ ...folder, children: [] }))
      const byId = new Map(nodes.map((node) => [node.id, node]))
      const top: FolderNode[] = []
      for (const node of nodes) (byId.get(node.parent ?? 0)?.children ?? top).push(node)
      return top
    },
    async ids(): Promise<number[]> {
      return (await all.all()).map((folder) => folder.id)
    },
  }
}

/** Levels of folders: more are no use to anybody, and thousands too deep to be written as JSON. */
const maxLevels = 50

/** Where a folder is to be; `id` is undefined for a new one. */
export interface FolderPlace {
  readonly id: number | undefined
  readonly parent: number
}

/** Checks where folders are put. */
export function createFolderPlaces(database: Database, folders: SystemEntries) {
  const { parent: parentColumn } = foldersTable.columns
  const within = foldersTable
    .on(database)
    .find((_, inList) => inList(parentColumn, 'parents'), { pick: ['id'] })

  /** All on the way up are locked, so that two moves at once cannot create a circle. */
  async function levelsAbove({ id, parent }: FolderPlace, tx: Transaction): Promise<number> {
    let next: unknown = parent
    let levels = 0
    for (; typeof next === 'number' && levels <= maxLevels; levels += 1) {
      if (next === id) throw new AppError('CONFLICT', 'a folder cannot be inside of itself')
      next = (await folders.open(next, { tx })).parent
    }
    return levels
  }

  /** Of a folder with all that is inside of it. */
  async function levelsOf(id: number, tx: Transaction): Promise<number> {
    let parents = [id]
    let levels = 0
    for (; parents.length > 0 && levels <= maxLevels; levels += 1) {
      parents = (await within.all({ parents }, tx)).map((folder) => folder.id)
    }
    return levels
  }

  return {
    /** @throws AppError 409 for a folder inside of itself; 400 if too many would be in one another */
    async assertPossible(place: FolderPlace, tx: Transaction): Promise<void> {
      const above = await levelsAbove(place, tx)
      const own = place.id === undefined ? 1 : await levelsOf(place.id, tx)
      if (above + own <= maxLevels) return
      const message = `would be too deep: at most ${maxLevels} folders may be in one another`
      throw AppError.invalid([{ path: 'parent', code: 'maxLevels', message }])
    },
  }
}
