import type { Readable } from 'node:stream'
import { type ExtensionPoint, extensionPoint } from '../../../kernel/index.ts'

/**
 * Keeps the files of backups by name (see `isArchiveName`; it is given nothing else). A file is there whole or not at all,
 * for all processes.
 */
export interface ArchiveStore {
  /** For messages: `the folder of backups`. */
  readonly place: string
  /** Takes a complete file of this machine, which may be gone afterwards. */
  keep(path: string, name: string, signal: AbortSignal): Promise<void>
  /** Bytes; undefined where there is no such file. */
  sizeOf(name: string): Promise<number | undefined>
  /** Undefined where there is no such file. */
  read(name: string): Promise<Readable | undefined>
  /** Does nothing where there is no such file. */
  remove(name: string): Promise<void>
  /** Where a file is on this machine; stores whose files are elsewhere are without. */
  pathOf?(name: string): string
  /** Fails where nothing can be kept at present. */
  check?(): Promise<void>
}

/** A way to keep backups; `backups.storage` names the one in use. */
export interface ArchiveStoreKind {
  /** `local`, `s3`. */
  readonly type: string
  /** Called once at the start, if it is the one in use. What it throws stops the start. */
  open(): ArchiveStore | Promise<ArchiveStore>
}

/** Contribute in `register` or `init`. */
export const archiveStores: ExtensionPoint<ArchiveStoreKind> = extensionPoint('archiveStores')

const archiveName = /^backup-[\dTZ-]{1,40}-[\da-f]{12}\.tar$/

/** Whether a text is the name of a file of a backup: it leads nowhere else, in a folder or a bucket. */
export function isArchiveName(text: string): boolean {
  return archiveName.test(text)
}
