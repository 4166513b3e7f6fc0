import {
  type ExtensionPoint,
  extensionPoint,
  type HookToken,
  hook,
  type ServiceToken,
  service,
} from '../../../kernel/index.ts'
import type { Entry, SystemEntries } from '../../entries/content/content.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import type { Principal, Reply } from '../../foundation/http/http.ts'
import type { FilePlaces } from './files/addresses.ts'
import type { FileRequest, ServedFile } from './files/file-server.ts'
import type { FileDescription, MediaStorage } from './storage.ts'

export type { FilePlaces } from './files/addresses.ts'
export type { FileRequest, ServedFile } from './files/file-server.ts'
export { isUndecoded, svgType } from './identify/file-types.ts'
export { isMediaKey, keyIn, variantKey } from './media-key.ts'
export { maxFileSize } from './settings.ts'
export {
  type ByteRange,
  type FileDescription,
  type MediaStorage,
  mediaStorages,
  type StorageKind,
} from './storage.ts'
export { StorageFailure, type StorageFault, storageFaults } from './storage-failure.ts'
export { mediaTable } from './system-tables.ts'

/** A media record; specification, "Media record". Attributes of `media.extension.json` are added to these. */
export type MediaRecord = Entry & {
  readonly filename: string
  readonly originalName: string
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  readonly url: string
  /** In pixels; null for files that are not images, and for broken ones. */
  readonly width: number | null
  readonly height: number | null
  readonly alt: string | null
  readonly caption: string | null
  /** The point of an image that matters most, as shares of its width and height; both are set or neither. */
  readonly focalX: number | null
  readonly focalY: number | null
  /** Separated by commas. */
  readonly tags: string | null
  /** A folder's id; null for the root. */
  readonly folder: number | null
  readonly formats: MediaFormats
  /** A ThumbHash in base64: what an image looks like in about 25 bytes; null for other files, and those older than this. */
  readonly placeholder: string | null
}

/** The key of a file as it was uploaded; null or undefined where the public one is that. No answer has it. */
export interface Untouched {
  readonly untouched?: string | null | undefined
}

/** Thumbnails by name: `small`, `medium`, `large`. */
export type MediaFormats = Readonly<Record<string, { readonly url: string; readonly width: number }>>

/** A place in an entry that refers to a file. */
export interface MediaUsage {
  /** Singular name of the type. */
  readonly type: string
  /** Of the entry. */
  readonly id: number
  /** As `populate` names it: `cover`, `blocks.image`. */
  readonly field: string
  /** The entry's title; null if its type has no text for one. */
  readonly title: string | null
}

/** A change of a file in the media library, and who made it. */
export interface MediaEvent {
  readonly media: MediaRecord
  readonly principal: Principal
}

/** A file was uploaded, or added by a plugin; emitted after the commit, like all of these. */
export const mediaUploaded: HookToken<MediaEvent> = hook('media:uploaded')
/** A file's metadata was changed, or the file was replaced (then `previous` has another `filename`). */
export const mediaUpdated: HookToken<MediaEvent & { readonly previous: MediaRecord }> = hook('media:updated')
/** A file was deleted for good, with its thumbnails. */
export const mediaDeleted: HookToken<MediaEvent> = hook('media:deleted')

/** A local file that is to become media. It is moved, not copied. */
export interface MediaImport {
  readonly path: string
  /** With its extension, which must match the content. */
  readonly originalName: string
  /** A folder's id; null for the root. */
  readonly folder: number | null
  readonly alt?: string | null
  readonly caption?: string | null
  /** That of the record; a new one by default. */
  readonly uuid?: string
  readonly principal: Principal
  /** Called in the transaction of the record. */
  alongside?(media: MediaRecord, tx: Transaction): Promise<void>
}

/** The media library, for other plugins. Permissions are up to the caller. */
export interface Media {
  /** The storage of the bytes. */
  readonly storage: MediaStorage
  /** The keys in `storage` of a record that are public: the file and its thumbnails. */
  keysOf(media: Pick<MediaRecord, 'filename' | 'formats'>): string[]
  /** The same with that of the file as it was uploaded, which is not public. */
  allKeysOf(media: Pick<MediaRecord, 'filename' | 'formats'> & Untouched): string[]
  /** All of them, with what the storage needs to know about each. */
  filesOf(media: Pick<MediaRecord, 'filename' | 'formats' | 'mimeType'> & Untouched): MediaFile[]
  /** The present address of a file: a path of this service, unless `storage.baseUrl` is the address of a CDN. */
  urlOf(key: string): string
  /** The key in an address that this service gives a file, or gave it; undefined for any other. */
  keyIn(url: string): string | undefined
  /** The file that has taken the place of one with this key or of its thumbnail; undefined if it was not replaced. */
  presentFile(key: string): Promise<string | undefined>
  /** Where files are served, and were, with the parameter `filename`: for routes of what is made of them. */
  readonly route: FilePlaces
  /**
   * Answers a file of the storage as that of a record is: parts, HEAD, what the client has, or the way to it. Undefined if
   * there is none.
   */
  serve(request: FileRequest, file: ServedFile): Promise<Reply | undefined>
  /** Paths for files that are only needed for a moment, on the disk from which `storage` adopts them best. */
  readonly scratch: Scratch
  /** For plugins that write records and files without the library, as a restore does. */
  readonly files: MediaFiles
  /** For plugins that write records as a part of a transaction of their own. */
  readonly writes: MediaWrites
  /** The records with these ids that exist, in any order; see `SystemEntries.findMany`. */
  readonly findMany: SystemEntries['findMany']
  /** Checks and stores a file as an upload does. @throws AppError 400, 415 */
  add(file: MediaImport): Promise<MediaRecord>
  /**
   * Enqueues a rebuild of the usage index, after tables were written without the content service, e.g. by a
   * restore.
   */
  reindexUsages(tx: Transaction): Promise<void>
}

/** A checked file in the storage that no record has yet. */
export interface StoredFile {
  /** The keys of the file and its thumbnails. */
  readonly keys: readonly string[]
}

/** By whom something is written, as part of an open transaction. */
export interface MediaWrite {
  readonly principal: Principal
  readonly tx: Transaction
}

/** Records and folders that are written as a part of a transaction, such as that of a transfer. Permissions are up to the caller. */
export interface MediaWrites {
  /**
   * Checks a local file as an upload does and puts it into the storage, before the transaction: it is removed after about
   * an hour unless a record has it then. `files.announce` lets it wait for longer. The local file is consumed.
   * @throws AppError 400, 415, 503, 507
   */
  store(file: { readonly path: string; readonly originalName: string }): Promise<StoredFile>
  /** Removes stored files that no record will have. Never rejects. */
  abandon(files: readonly StoredFile[]): Promise<void>
  /** `data`: what is said about the file, by field. @throws AppError 400, 503 */
  create(
    file: StoredFile,
    data: object,
    write: MediaWrite & { readonly uuid?: string | undefined },
  ): Promise<MediaRecord>
  /** With `file`, replaces the file of the record. @throws AppError 400, 404, 415, 503 */
  change(
    id: number,
    change: { readonly file?: StoredFile | undefined; readonly data: object },
    write: MediaWrite,
  ): Promise<MediaRecord>
  /** Takes the files out of the entries that name them. @throws AppError 404, 409 */
  remove(ids: readonly number[], write: MediaWrite): Promise<void>
  /** @throws AppError 400, 409 */
  createFolder(data: object, write: MediaWrite & { readonly uuid?: string | undefined }): Promise<Entry>
  /** @throws AppError 400, 404, 409 */
  changeFolder(id: number, data: object, write: MediaWrite): Promise<Entry>
  /** @throws AppError 404; 409 if something is in it */
  removeFolder(id: number, write: MediaWrite): Promise<void>
}

/** Temporary files; those of a process that dies are removed after an hour. */
export interface Scratch {
  /** A path that is nobody else's. */
  newPath(): string
  remove(paths: readonly string[]): Promise<void>
}

/** A file that a record refers to. */
export type MediaFile = Omit<FileDescription, 'size'> & { readonly key: string }

/** Keeps files and records consistent, even if a process dies. */
export interface MediaFiles {
  /**
   * Before files are written to the storage: they are removed after about an hour unless a record refers to
   * them then.
   */
  announce(keys: readonly string[]): Promise<void>
  /** Within the transaction that stores the records of announced files. */
  confirm(keys: readonly string[], tx: Transaction): Promise<void>
  /** Removes files after the commit, except those that a record refers to then. */
  discard(keys: readonly string[], tx: Transaction): Promise<void>
}

/**
 * Decides whether files may be removed from the storage now. While any refuses, they stay and are removed
 * later, so that a backup finds the files of all records that it has read.
 */
export interface DeletionHold {
  isHeld(): Promise<boolean>
}

/** Contribute in `register` or `init`. */
export const deletionHolds: ExtensionPoint<DeletionHold> = extensionPoint('mediaDeletionHolds')

/**
 * Runs in the transaction in which files lose their record, with the keys of `storage`: enqueue a job there that removes
 * what a plugin keeps of them. Some may never have had a record.
 */
export type FileRemoval = (keys: readonly string[], tx: Transaction) => Promise<void>

/** Contribute in `register` or `init`. */
export const fileRemovals: ExtensionPoint<FileRemoval> = extensionPoint('mediaFileRemovals')

/** The kind of job that removes files. */
export const deleteFilesKind = 'media.delete-files'

/** The media library: files, folders and where entries use them. */
export const mediaService: ServiceToken<Media> = service('media')
