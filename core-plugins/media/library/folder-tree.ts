import { sql } from 'drizzle-orm'
import type { SystemEntries } from '../../content/content.ts'
import { type Columns, type Database, query, selectList, type Transaction } from '../../database/database.ts'
import { AppError } from '../../http/http.ts'

export interface FolderNode {
  readonly id: number
  readonly name: string
  /** The id of the folder that it is in. */
  readonly parent: number | null
  /** By name. */
  readonly children: FolderNode[]
}

const columns = {
  id: { column: 'id', kind: 'id' },
  name: { column: 'name', kind: 'string' },
  parent: { column: 'parent_id', kind: 'reference' },
} as const satisfies Columns

/** All folders as they are in one another; those at the top first. */
export function createFolderTree(database: Database) {
  const all = query<Omit<FolderNode, 'children'>>(
    database,
    () => sql`select ${selectList(database, columns)} from svc_media_folders order by name, id`,
    columns,
  )
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
 * Walks up from the folder that a folder is to be moved to. All on the way are locked, so that two moves at once
 * cannot make a circle together.
 * @throws AppError 409 if it comes by the folder itself
 */
export async function refuseCycle(
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
