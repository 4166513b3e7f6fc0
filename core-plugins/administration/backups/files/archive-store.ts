import type { Readable } from 'node:stream'
import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'

/**
 * Stores the files of backups by name (only names that pass `isArchiveName`). For all processes, a file is
 * either complete or absent.
 */
export interface ArchiveStore {
  /** For messages: `the folder of backups`. */
  readonly place: string
  /** Takes over a complete local file, which may be gone afterwards. */
  keep(path: string, name: string, signal: AbortSignal): Promise<void>
  /** The size in bytes; undefined if there is no such file. */
  sizeOf(name: string): Promise<number | undefined>
  /** Undefined if there is no such file. */
  read(name: string): Promise<Readable | undefined>
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>
  /** The local path of a file; only stores with local files have this method. */
  pathOf?(name: string): string
  /** Removes what killed processes left that has no name, such as parts of uploads. Called every hour. */
  removeLeftovers?(): Promise<void>
  /** Rejects if nothing can be stored at present. */
  check?(): Promise<void>
}

/** A backend for backups; `backups.storage` selects one. */
export interface ArchiveStoreKind {
  /** `local`, `s3`; of the third-party plugin `shop`: `shop` or `shop.<what>`. */
  readonly type: string
  /** Called once at start, if it is the one in use. Errors stop the start. */
  open(): ArchiveStore | Promise<ArchiveStore>
}

/** Contribute in `register` or `init`. */
export const archiveStores: ExtensionPoint<ArchiveStoreKind> = extensionPoint('archiveStores')

const archiveName = /^backup-[\dTZ-]{1,40}-[\da-f]{12}\.tar$/

/** Whether a text is a valid name of a backup file: it cannot leave its folder or bucket. */
export function isArchiveName(text: string): boolean {
  return archiveName.test(text)
}
