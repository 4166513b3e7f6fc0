import type { Readable } from 'node:stream'
import { type ExtensionPoint, extensionPoint, type Log } from '../../../kernel/index.ts'

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What a store may need to know about a file. */
export interface FileDescription {
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** Whether a browser may show it inline; otherwise it is a download. */
  readonly disposition: 'inline' | 'attachment'
}

/**
 * Stores files by key: keys that pass `isMediaKey`, and `variants/<key>/<key>` for what plugins make of files. The
 * content under a key never changes once it is complete, and is not visible before.
 */
export interface MediaStorage {
  /**
   * Reads `source` to its end; the file exists when it resolves. An existing file under the key is replaced.
   */
  write(key: string, source: Readable, description: FileDescription): Promise<void>
  /** Like `write`, for a local file, which may be gone afterwards. */
  adopt(key: string, path: string, description: FileDescription): Promise<void>
  /** Undefined if there is no such file. */
  stat(key: string): Promise<{ readonly size: number } | undefined>
  /** Undefined if there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Does nothing if there is no such file. */
  delete(key: string): Promise<void>
  /**
   * The URL from which clients fetch a file themselves, if the storage is set up for that; they get a 302.
   */
  locate?(key: string): Promise<string>
  /** A folder for incomplete uploads, if that makes adopting them cheap. */
  readonly spoolDirectory?: string
  /** Removes what uploads of killed processes left that has no key, such as parts. Called at the start and every 10 minutes. */
  removeLeftovers?(): Promise<void>
  /** Closes connections. */
  close?(): Promise<void>
}

/** A storage backend; `storage.type` selects one. */
export interface StorageKind {
  /** `local`, `s3`; of the third-party plugin `shop`: `shop` or `shop.<what>`. */
  readonly type: string
  /** Called once at boot, if it is the one in use. Errors stop the start. */
  open(context: { readonly log: Log }): MediaStorage | Promise<MediaStorage>
}

/** Contribute in `register` or `init`. */
export const mediaStorages: ExtensionPoint<StorageKind> = extensionPoint('mediaStorages')
