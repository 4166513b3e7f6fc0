import { sql } from 'drizzle-orm'
import type { SystemEntries } from '../../../entries/content/content.ts'
import type { Database, RowOf, Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { foldersTable } from '../system-tables.ts'

export interface FolderNode extends RowOf<typeof foldersTable> {
  /** Sorted by name. */
  readonly children: FolderNode[]
}

/** All folders as a tree, top level first. */
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

/** The maximum depth of folders. More are of no use, and thousands would be too deep to serialise as JSON. */
const maxLevels = 50

/** The intended parent of a folder; `id` is undefined for a new folder. */
export interface FolderPlace {
  readonly id: number | undefined
  readonly parent: number
}

/** Checks the places of folders. */
export function createFolderPlaces(database: Database, folders: SystemEntries) {
  const { parent: parentColumn } = foldersTable.columns
  const within = foldersTable
    .on(database)
    .find((_, inList) => inList(parentColumn, 'parents'), { pick: ['id'] })

  /** Locks all ancestors, so that two concurrent moves cannot create a cycle. */
  async function levelsAbove({ id, parent }: FolderPlace, tx: Transaction): Promise<number> {
    let next: unknown = parent
    let levels = 0
    for (; typeof next === 'number' && levels <= maxLevels; levels += 1) {
      if (next === id) throw new AppError('CONFLICT', 'a folder cannot be inside of itself')
      next = (await folders.open(next, { tx })).parent
    }
    return levels
  }

  /** The number of levels of a folder with its subfolders. */
  async function levelsOf(id: number, tx: Transaction): Promise<number> {
    let parents = [id]
    let levels = 0
    for (; parents.length > 0 && levels <= maxLevels; levels += 1) {
      parents = (await within.all({ parents }, tx)).map((folder) => folder.id)
    }
    return levels
  }

  return {
    /** @throws AppError 409 if the folder would be inside itself; 400 if the tree would be too deep */
    async assertPossible(place: FolderPlace, tx: Transaction): Promise<void> {
      const above = await levelsAbove(place, tx)
      const own = place.id === undefined ? 1 : await levelsOf(place.id, tx)
      if (above + own <= maxLevels) return
      const message = `would be too deep: at most ${maxLevels} folders may be in one another`
      throw AppError.invalid([{ path: 'parent', code: 'maxLevels', message }])
    },
  }
}
