import type { Readable } from 'node:stream'
import { type ExtensionPoint, extensionPoint, type Log } from '../../kernel/index.ts'

/** Bytes of a file, both ends included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What a store may want to know of a file that it is given. */
export interface FileDescription {
  readonly mediaType: string
  /** Bytes. */
  readonly size: number
  /** Whether a browser may show it where it stands; otherwise it is for downloading. */
  readonly disposition: 'inline' | 'attachment'
}

/**
 * Keeps files by key (see `isMediaKey`; it is given nothing else). The content under a key never changes once it is
 * complete, and is not there before.
 */
export interface MediaStorage {
  /** Reads `source` to its end; the file is there when it resolves. What was under the key before is replaced. */
  write(key: string, source: Readable, description: FileDescription): Promise<void>
  /** Like `write`, of a file of this machine, which may be gone afterwards. */
  adopt(key: string, path: string, description: FileDescription): Promise<void>
  /** Undefined where there is no such file. */
  stat(key: string): Promise<{ readonly size: number } | undefined>
  /** Undefined where there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Does nothing where there is no such file. */
  delete(key: string): Promise<void>
  /**
   * Where the client shall fetch a file itself, if that is how the storage is set up; it is sent there with a 302.
   */
  locate?(key: string): Promise<string>
  /** A folder for uploads that are not complete, if files should be there to be adopted cheaply. */
  readonly spoolDirectory?: string
  /** Ends connections. */
  close?(): Promise<void>
}

/** A way to keep files; `storage.type` names the one in use. */
export interface StorageKind {
  /** `local`, `s3`. */
  readonly type: string
  /** Called once when the service boots, if it is the one in use. What it throws stops the start. */
  open(context: { readonly log: Log }): MediaStorage | Promise<MediaStorage>
}

/** Contribute in `register` or `init`. */
export const mediaStorages: ExtensionPoint<StorageKind> = extensionPoint('mediaStorages')
