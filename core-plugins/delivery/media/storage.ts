import type { Readable } from 'node:stream'
import { type ExtensionPoint, extensionPoint, type Log } from '../../../kernel/index.ts'

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What a storage may need to know about a file. */
export interface FileDescription {
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** Whether browsers may show the file inline; otherwise it is a download. */
  readonly disposition: 'inline' | 'attachment'
}

/**
 * Stores files by key: keys that pass `isMediaKey`, and `variants/<key>/<key>` for derived files of plugins. The content under
 * a key becomes visible once it is complete, and never changes after that.
 */
export interface MediaStorage {
  /**
   * Reads `source` to its end; the file exists when it resolves. An existing file under the key is replaced.
   */
  write(key: string, source: Readable, description: FileDescription): Promise<void>
  /** Like `write`, for a local file, which may be moved. */
  adopt(key: string, path: string, description: FileDescription): Promise<void>
  /** Undefined if there is no such file. */
  stat(key: string): Promise<{ readonly size: number } | undefined>
  /** Undefined if there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Does nothing if there is no such file. */
  delete(key: string): Promise<void>
  /** The URL from which clients fetch a file directly, if the storage is set up for that; they get a 302. */
  locate?(key: string): Promise<string>
  /** A folder for incomplete uploads, if adopting files from it is cheap. */
  readonly spoolDirectory?: string
  /**
   * Removes leftovers of killed processes that have no key, such as parts of uploads. Called at the start and every 10
   * minutes.
   */
  removeLeftovers?(): Promise<void>
  /** Closes connections. */
  close?(): Promise<void>
}

/** A storage backend; `storage.type` selects one. */
export interface StorageKind {
  /** `local` or `s3`; for a third-party plugin `shop`: `shop` or `shop.<name>`. */
  readonly type: string
  /** Called once at the start, only for the selected storage. Errors stop the start. */
  open(context: { readonly log: Log }): MediaStorage | Promise<MediaStorage>
}

/** Contribute in `register` or `init`. */
export const mediaStorages: ExtensionPoint<StorageKind> = extensionPoint('mediaStorages')
