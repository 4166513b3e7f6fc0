import type { ArchiveStore, ArchiveStoreKind } from '../../administration/backups/backups.ts'
import type { MediaStorage, StorageKind } from '../../delivery/media/media.ts'
import { withFunctions } from './required-functions.ts'

/** A backend that a setting selects by its `type`, and that is opened when it is the one in use. */
interface Backend<Opened> {
  readonly type: string
  open(...context: never[]): Opened | Promise<Opened>
}

const storageMembers = ['write', 'adopt', 'stat', 'read', 'delete'] as const
const archiveMembers = ['keep', 'sizeOf', 'read', 'remove'] as const

/** Checks a storage for files and, once it is opened, that it can do what is asked of one. */
export function adaptStorage(space: string, kind: StorageKind): StorageKind {
  checkBackend(space, 'storage', kind)
  return {
    type: kind.type,
    open: async (context) =>
      withFunctions<MediaStorage>(`the storage ${kind.type}`, await kind.open(context), storageMembers),
  }
}

/** The same for backups. */
export function adaptArchiveStore(space: string, kind: ArchiveStoreKind): ArchiveStoreKind {
  checkBackend(space, 'archive store', kind)
  return {
    type: kind.type,
    open: async () =>
      withFunctions<ArchiveStore>(`the archive store ${kind.type}`, await kind.open(), archiveMembers),
  }
}

/** Operators write the type into a setting, where it must not be mistaken for that of somebody else. */
function checkBackend(space: string, what: string, backend: Backend<unknown>): void {
  const { type } = backend
  const isOwn =
    type === space || (String(type).startsWith(`${space}.`) && ownPart.test(type.slice(space.length + 1)))
  if (!isOwn)
    throw new Error(`the type of the ${what} ${String(type)} must be named ${space} or ${space}.<what>`)
  withFunctions(`the ${what} ${type}`, backend, ['open'])
}

const ownPart = /^[a-z][a-z0-9-]*$/
