import type { MediaFolderNode } from '../../../../../../../client/admin.ts'

/** A folder with its path. */
export interface PlacedFolder {
  readonly folder: MediaFolderNode
  /** From the top down to the folder itself. */
  readonly path: readonly MediaFolderNode[]
}

/** All folders of a tree, each followed by those in it. */
export function placedFolders(
  tree: readonly MediaFolderNode[],
  above: readonly MediaFolderNode[] = [],
): readonly PlacedFolder[] {
  return tree.flatMap((folder) => {
    const path = [...above, folder]
    return [{ folder, path }, ...placedFolders(folder.children, path)]
  })
}

/** The folder with an id; undefined if there is none. */
export const findFolder = (tree: readonly MediaFolderNode[], id: number): PlacedFolder | undefined =>
  placedFolders(tree).find(({ folder }) => folder.id === id)

/** `Photos / Summer`. */
export const nameOfPath = (path: readonly MediaFolderNode[]): string =>
  path.map(({ name }) => name).join(' / ')

/** The folders to which a folder may be moved: all but itself and its descendants. */
export function destinationsOf(tree: readonly MediaFolderNode[], moved?: number): readonly PlacedFolder[] {
  return placedFolders(tree).filter(({ path }) => path.every(({ id }) => id !== moved))
}
