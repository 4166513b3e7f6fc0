import type { ArchiveStore, ArchiveStoreKind } from '../../administration/backups/backups.ts'
import type { MediaStorage, StorageKind } from '../../delivery/media/media.ts'
import { withFunctions } from './required-functions.ts'

/** A backend selected by a setting through its `type`, and opened when in use. */
interface Backend<Opened> {
  readonly type: string
  open(...context: never[]): Opened | Promise<Opened>
}

const storageMembers = ['write', 'adopt', 'stat', 'read', 'delete'] as const
const archiveMembers = ['keep', 'sizeOf', 'read', 'remove'] as const

/** Checks a file storage and, when it is opened, that it has the required functions. */
export function adaptStorage(space: string, kind: StorageKind): StorageKind {
  checkBackend(space, 'storage', kind)
  return {
    type: kind.type,
    open: async (context) =>
      withFunctions<MediaStorage>(`the storage ${kind.type}`, await kind.open(context), storageMembers),
  }
}

/** Like `adaptStorage`, for backup stores. */
export function adaptArchiveStore(space: string, kind: ArchiveStoreKind): ArchiveStoreKind {
  checkBackend(space, 'archive store', kind)
  return {
    type: kind.type,
    open: async () =>
      withFunctions<ArchiveStore>(`the archive store ${kind.type}`, await kind.open(), archiveMembers),
  }
}

/** Operators write the type into a setting, so it must carry the plugin's name. */
function checkBackend(space: string, what: string, backend: Backend<unknown>): void {
  const { type } = backend
  const isOwn =
    type === space || (String(type).startsWith(`${space}.`) && ownPart.test(type.slice(space.length + 1)))
  if (!isOwn)
    throw new Error(`the type of the ${what} ${String(type)} must be named ${space} or ${space}.<what>`)
  withFunctions(`the ${what} ${type}`, backend, ['open'])
}

const ownPart = /^[a-z][a-z0-9-]*$/
