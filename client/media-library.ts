import { requestEntry, requestPage, requestVersion, type WriteOptions } from './entry-request.ts'
import type { ImageOptions } from './images.ts'
import type { Page } from './list-query.ts'
import { queryString } from './query-string.ts'
import type { SendOptions, Transport } from './transport.ts'

/** A file of the media library; has the attributes of `media.extension.json` as well. */
export interface MediaFile {
  readonly id: number
  readonly filename: string
  readonly originalName: string
  readonly mimeType: string
  /** Bytes. */
  readonly size: number
  readonly url: string
  readonly width: number | null
  readonly height: number | null
  readonly alt: string | null
  readonly caption: string | null
  /**
   * The point of an image that matters most, as shares of its width and height from the left and top edge; both are set
   * or neither. A string where a number would not be exact.
   */
  readonly focalX: number | string | null
  readonly focalY: number | string | null
  /** Separated by commas. */
  readonly tags: string | null
  readonly folder: number | null
  readonly formats: Partial<
    Record<'small' | 'medium' | 'large', { readonly url: string; readonly width: number }>
  >
  /** A ThumbHash in base64: what an image looks like in about 25 bytes; null for other files, and those older than this. */
  readonly placeholder: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** A `File` has a name already. */
export type Upload = File | { readonly data: Blob; readonly name: string }

export interface UploadOptions {
  readonly folderId?: number
  readonly signal?: AbortSignal
}

interface Cancelling {
  readonly signal?: AbortSignal
}

export interface MediaQuery {
  readonly limit?: number
  readonly offset?: number
  readonly sort?: 'originalName' | 'filename' | 'size' | 'created_at' | 'id'
  readonly sortOrder?: 'asc' | 'desc'
  /** An id, or `root`. */
  readonly folder?: number | 'root'
  readonly type?: 'images' | 'videos' | 'audio' | 'files'
  readonly mimeType?: string
  /** Part of the file's name. */
  readonly search?: string
  /** A whole tag, in any case. */
  readonly tag?: string
  /** At most 500. */
  readonly ids?: readonly number[]
  readonly signal?: AbortSignal
}

/** A place in an entry that names a file. */
export interface MediaUsage {
  readonly type: string
  readonly id: number
  /** As `populate` names it: `cover`, `blocks.image`. */
  readonly field: string
  /** Of the entry; null if the caller may not read it. */
  readonly title: string | null
}

/** How many were changed or deleted, and which. */
export interface MediaCount {
  readonly count: number
  readonly ids: readonly number[]
}

/** What people say about a file; the attributes of `media.extension.json` as well. */
export interface MediaDescription {
  readonly alt?: string | null
  readonly caption?: string | null
  readonly focalX?: number | null
  readonly focalY?: number | null
  /** Separated by commas. */
  readonly tags?: string | null
  readonly folder?: number | null
}

/** In pixels of the upright image, as `width` and `height` measure it. */
export interface MediaArea {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The files of the service. */
export interface MediaLibrary {
  upload(file: Upload, options?: UploadOptions): Promise<MediaFile>
  /** Stores all or none. */
  uploadMany(files: readonly Upload[], options?: UploadOptions): Promise<MediaFile[]>
  list(query?: MediaQuery): Promise<Page<MediaFile>>
  get(id: number, options?: Cancelling): Promise<MediaFile>
  /** Like `get`, with the ETag that `ifMatch` takes. */
  getVersion(id: number, options?: Cancelling): Promise<{ file: MediaFile; etag: string }>
  update(id: number, change: MediaDescription, options?: WriteOptions): Promise<MediaFile>
  /** Changes all or none; at most 200. */
  updateMany(
    files: readonly ({ readonly id: number } & MediaDescription)[],
    options?: Cancelling,
  ): Promise<MediaFile[]>
  /** The address of an image at any size, with a signature where it needs one; it does not expire. */
  imageUrl(id: number, options: ImageOptions, cancelling?: Cancelling): Promise<string>
  /** Makes a new file of a part of an image. */
  crop(id: number, area: MediaArea, options?: Cancelling): Promise<MediaFile>
  delete(id: number, options?: Cancelling): Promise<MediaFile>
  /** A new content under the same id; the address changes. */
  replace(id: number, file: Upload, options?: Cancelling): Promise<MediaFile>
  /** The places in entries that name a file. */
  usage(
    id: number,
    options?: Cancelling & { readonly limit?: number; readonly offset?: number },
  ): Promise<Page<MediaUsage>>
  /** The same for several files at once, at most 500. */
  usageOfMany(
    ids: readonly number[],
    options?: Cancelling & { readonly limit?: number; readonly offset?: number },
  ): Promise<Page<MediaUsage & { readonly mediaId: number }>>
  /** Moves all or none; null is the root. */
  moveMany(ids: readonly number[], folderId: number | null): Promise<MediaCount>
  /** Deletes all or none. */
  deleteMany(ids: readonly number[]): Promise<MediaCount>
}

/** As it is sent. */
type PageQuery = Omit<MediaQuery, 'ids'> & { readonly ids?: string | undefined }

/** Makes the access to the library. */
export function createMediaLibrary(transport: Transport): MediaLibrary {
  const send = async <Data>(method: string, path: string, options: SendOptions = {}) =>
    (await transport.send<Data>(method, path, options)).data

  const page = <Data>(path: string, { signal, ...query }: PageQuery = {}) =>
    requestPage<Data>(transport, path + queryString(query), { signal })

  return {
    upload: (file, options = {}) => send('POST', '/upload', uploadOf([file], 'file', options)),
    uploadMany: (files, options = {}) => send('POST', '/upload', uploadOf(files, 'files', options)),
    list: ({ ids, ...query } = {}) => page('/media', { ...query, ids: ids?.join() }),
    get: (id, options) => send('GET', `/media/${id}`, options),
    async getVersion(id, options) {
      const { data: file, etag } = await requestVersion<MediaFile>(transport, `/media/${id}`, options)
      return { file, etag }
    },
    update: (id, body, options) =>
      requestEntry(transport, 'PUT', `/media/${id}`, { ...options, body }) as Promise<MediaFile>,
    updateMany: (files, options) => send('PUT', '/media/bulk', { ...options, body: { files } }),
    async imageUrl(id, options, cancelling) {
      const path = `/media/${id}/image-url${queryString({ ...options })}`
      return (await send<{ url: string }>('GET', path, cancelling)).url
    },
    crop: (id, body, options) => send('POST', `/media/${id}/crop`, { ...options, body }),
    delete: (id, options) => send('DELETE', `/media/${id}`, options),
    replace: (id, file, options = {}) => send('PUT', `/media/${id}/file`, uploadOf([file], 'file', options)),
    usage: (id, query) => page(`/media/${id}/usage`, query),
    usageOfMany: (ids, query) => page('/media/usage', { ...query, ids: ids.join() }),
    moveMany: (ids, folderId) => send('PUT', '/media/bulk-move', { body: { ids, folderId } }),
    deleteMany: (ids) => send('DELETE', '/media/bulk', { body: { ids } }),
  }
}

function uploadOf(files: readonly Upload[], field: string, { folderId, signal }: UploadOptions): SendOptions {
  const form = new FormData()
  // First, so that the service knows the folder before it reads files.
  if (folderId !== undefined) form.append('folderId', String(folderId))
  for (const file of files) form.append(field, 'data' in file ? file.data : file, file.name)
  return { body: form, signal }
}
