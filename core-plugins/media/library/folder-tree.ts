import { sql } from 'drizzle-orm'
import type { SystemEntries } from '../../content/content.ts'
import type { Database, RowOf, Transaction } from '../../database/database.ts'
import { AppError } from '../../http/http.ts'
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
  }
}

/**
 * Walks up from the folder to which a folder is to be moved. All folders on the way are locked, so that two moves at
 * once cannot create a circle.
 * @throws AppError 409 if it meets the folder itself
 */
export async function assertNoCycle(
  folders: SystemEntries,
  id: number,
  parent: number,
  tx: Transaction,
): Promise<void> {
  let next: unknown = parent
  while (typeof next === 'number') {
    if (next === id) throw new AppError('CONFLICT', 'a folder cannot be inside of itself')
    next = (await folders.open(next, { tx })).parent
  }
}
