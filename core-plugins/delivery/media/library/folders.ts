import type { Entry, SystemEntries } from '../../../entries/content/content.ts'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import { createFolderPlaces, createFolderTree, type FolderNode } from './folder-tree.ts'

export const folderAccess = {
  read: { access: 'permission', scope: 'media:read', policies: ['media.read'] },
  write: { access: 'permission', scope: 'media:write', policies: ['media.write'] },
  remove: { access: 'permission', scope: 'media:delete', policies: ['media.delete'] },
} as const

/** The folder to change, and the version that the caller has seen. */
export interface FolderChange {
  readonly id: number
  readonly ifMatch?: string | undefined
  /** An open transaction in which to make the change. */
  readonly tx?: Transaction | undefined
}

/** Folders of the media library. Permissions are up to the caller. */
export interface Folders {
  tree(): Promise<FolderNode[]>
  /** The ids of all folders, by name. */
  ids(): Promise<number[]>
  /** @throws AppError 400, 409 */
  create(payload: object, creation: FolderCreation): Promise<Entry>
  /** @throws AppError 400, 404, 409, 412 */
  update(change: FolderChange & { readonly principal: Principal }, payload: object): Promise<Entry>
  /** Deletes an empty folder. @throws AppError 404, 409, 412 */
  remove(change: FolderChange): Promise<Entry>
}

/** Who creates a folder, and with which identity. */
export interface FolderCreation {
  readonly principal: Principal
  /** Generated if undefined. */
  readonly uuid?: string | undefined
  /** An open transaction in which to create the folder. */
  readonly tx?: Transaction | undefined
}

export function createFolders(database: Database, folders: SystemEntries): Folders {
  const places = createFolderPlaces(database, folders)
  const tree = createFolderTree(database)
  const within = <T>(open: Transaction | undefined, work: (tx: Transaction) => Promise<T>) =>
    open === undefined ? database.transaction(work) : work(open)
  return {
    tree: tree.read,
    ids: tree.ids,
    create: (payload, { principal, uuid, tx: open }) =>
      within(open, async (tx) => {
        const now = new Date().toISOString()
        const values = await folders.check(named(payload), { principal, tx, now })
        const { parent } = values
        if (typeof parent === 'number') await places.assertPossible({ id: undefined, parent }, tx)
        return folders.insert(values, { tx, now, uuid })
      }),
    update: ({ id, ifMatch, principal, tx: open }, payload) =>
      within(open, async (tx) => {
        const now = new Date().toISOString()
        const before = await folders.open(id, { tx, ifMatch })
        const values = await folders.check(named(payload), { before, principal, tx, now })
        const { parent } = values
        const isMoved = typeof parent === 'number' && parent !== before.parent
        if (isMoved) await places.assertPossible({ id: before.id, parent }, tx)
        return Object.keys(values).length === 0 ? before : folders.update(before, values, { tx, now })
      }),
    remove: ({ id, ifMatch, tx: open }) =>
      within(open, async (tx) => {
        const folder = await folders.open(id, { tx, ifMatch })
        await folders.remove(folder, tx)
        return folder
      }),
  }
}

/** Rejects names that consist of spaces. */
function named(payload: { readonly name?: unknown }) {
  return typeof payload.name === 'string' ? { ...payload, name: payload.name.trim() } : payload
}
