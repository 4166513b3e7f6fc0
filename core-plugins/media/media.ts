import {
  type ExtensionPoint,
  extensionPoint,
  type HookToken,
  hook,
  type ServiceToken,
  service,
} from '../../kernel/index.ts'
import type { Entry } from '../content/content.ts'
import type { Transaction } from '../database/database.ts'
import type { Principal } from '../http/http.ts'
import type { FileDescription, MediaStorage } from './storage.ts'

export { isMediaKey } from './media-key.ts'
export {
  type ByteRange,
  type FileDescription,
  type MediaStorage,
  mediaStorages,
  type StorageKind,
} from './storage.ts'

/** A media record; specification, "Media record". Attributes of `media.extension.json` come besides. */
export type MediaRecord = Entry & {
  readonly filename: string
  readonly originalName: string
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  readonly url: string
  /** Pixels; null for what is no image, and for broken ones. */
  readonly width: number | null
  readonly height: number | null
  readonly alt: string | null
  readonly caption: string | null
  /** A folder's id; null for the root. */
  readonly folder: number | null
  readonly formats: MediaFormats
}

/** Thumbnails by name: `small`, `medium`, `large`. */
export type MediaFormats = Readonly<Record<string, { readonly url: string; readonly width: number }>>

/** A place in an entry that names a file. */
export interface MediaUsage {
  /** Singular name of the type. */
  readonly type: string
  /** Of the entry. */
  readonly id: number
  /** As `populate` names it: `cover`, `blocks.image`. */
  readonly field: string
  /** Of the entry; null where the caller may not read it. */
  readonly title: string | null
}

export interface MediaEvent {
  readonly media: MediaRecord
  readonly principal: Principal
}

/** A file was uploaded, or added by a plugin; told after the commit, as all of these are. */
export const mediaUploaded: HookToken<MediaEvent> = hook('media:afterUpload')
/** What is known of a file, or the file itself (then `previous` has another `filename`), was changed. */
export const mediaUpdated: HookToken<MediaEvent & { readonly previous: MediaRecord }> =
  hook('media:afterUpdate')
export const mediaDeleted: HookToken<MediaEvent> = hook('media:afterDelete')

/** A file of this machine that is to become media. It is moved, not copied. */
export interface MediaImport {
  readonly path: string
  /** With its extension, which has to fit the content. */
  readonly originalName: string
  /** A folder's id; null for the root. */
  readonly folder: number | null
  readonly principal: Principal
}

/** The media library, for other plugins. Permissions are up to the caller. */
export interface Media {
  /** Where the bytes are. */
  readonly storage: MediaStorage
  /** The keys in `storage` of a record: the file and its thumbnails. */
  keysOf(media: Pick<MediaRecord, 'filename' | 'formats'>): string[]
  /** The same, with what the storage wants to know of each. */
  filesOf(media: Pick<MediaRecord, 'filename' | 'formats' | 'mimeType'>): MediaFile[]
  /** Where a file is served; records hold it. */
  urlOf(key: string): string
  /** For whoever writes records and files past the library, as a restore does. */
  readonly files: MediaFiles
  /** Judges and stores a file as an upload does. @throws AppError 400, 415 */
  add(file: MediaImport): Promise<MediaRecord>
  /**
   * Has the index of usages built anew by a job: after tables were written past the content service, by a restore say.
   */
  reindexUsages(tx: Transaction): Promise<void>
}

/** There is no room for files, and still none: told every few seconds until `filesFreed`. */
export const filesFull: HookToken<{ readonly error: unknown }> = hook('media:filesFull')
export const filesFreed: HookToken<Record<string, never>> = hook('media:filesFreed')

/** A file that a record names. */
export type MediaFile = Omit<FileDescription, 'size'> & { readonly key: string }

/** Keeps files and records in step, whenever a process dies. */
export interface MediaFiles {
  /** Before files are written to the storage: they are removed after an hour or so unless a record names them then. */
  announce(keys: readonly string[]): Promise<void>
  /** Within the transaction that stores the records of announced files. */
  confirm(keys: readonly string[], tx: Transaction): Promise<void>
  /** Removes files after the commit, but for those that a record names then. */
  discard(keys: readonly string[], tx: Transaction): Promise<void>
}

/**
 * Says whether files may be removed from the storage at present. While one says no, they stay, and are removed later:
 * so a backup finds all files of the records that it has seen.
 */
export interface DeletionHold {
  isHeld(): Promise<boolean>
}

/** Contribute in `register` or `init`. */
export const deletionHolds: ExtensionPoint<DeletionHold> = extensionPoint('mediaDeletionHolds')

/** The kind of job that removes files. */
export const deleteFilesKind = 'media.delete-files'

export const mediaService: ServiceToken<Media> = service('media')
