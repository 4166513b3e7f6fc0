import type { Page, Pagination } from './list-query.ts'
import { queryString } from './query-string.ts'
import type { Transport } from './transport.ts'

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
  readonly folder: number | null
  readonly formats: Partial<
    Record<'small' | 'medium' | 'large', { readonly url: string; readonly width: number }>
  >
  readonly created_at: string
  readonly updated_at: string
}

/** A `File` has a name already. */
export type Upload = File | { readonly data: Blob; readonly name: string }

export interface UploadOptions {
  readonly folderId?: number
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
  readonly signal?: AbortSignal
}

/** The files of the service. */
export interface MediaLibrary {
  upload(file: Upload, options?: UploadOptions): Promise<MediaFile>
  /** Stores all or none. */
  uploadMany(files: readonly Upload[], options?: UploadOptions): Promise<MediaFile[]>
  list(query?: MediaQuery): Promise<Page<MediaFile>>
  get(id: number, options?: { readonly signal?: AbortSignal }): Promise<MediaFile>
  update(
    id: number,
    change: {
      readonly alt?: string | null
      readonly caption?: string | null
      readonly folder?: number | null
    },
    options?: { readonly signal?: AbortSignal },
  ): Promise<MediaFile>
  delete(id: number, options?: { readonly signal?: AbortSignal }): Promise<MediaFile>
}

/** Makes the access to the library. */
export function createMediaLibrary(transport: Transport): MediaLibrary {
  async function send<Data>(files: readonly Upload[], field: string, options: UploadOptions) {
    const form = new FormData()
    // First, so that the service knows the folder before it reads files.
    if (options.folderId !== undefined) form.append('folderId', String(options.folderId))
    for (const file of files) {
      if ('data' in file) form.append(field, file.data, file.name)
      else form.append(field, file, file.name)
    }
    return (await transport.send<Data>('POST', '/upload', { body: form, signal: options.signal })).data
  }

  return {
    upload: (file, options = {}) => send<MediaFile>([file], 'file', options),
    uploadMany: (files, options = {}) => send<MediaFile[]>(files, 'files', options),
    async list({ signal, ...query } = {}) {
      const answer = await transport.send<MediaFile[]>('GET', `/media${queryString(query)}`, { signal })
      return { data: answer.data, pagination: answer.pagination as Pagination }
    },
    get: async (id, options) => (await transport.send<MediaFile>('GET', `/media/${id}`, options)).data,
    update: async (id, body, options) =>
      (await transport.send<MediaFile>('PUT', `/media/${id}`, { ...options, body })).data,
    delete: async (id, options) => (await transport.send<MediaFile>('DELETE', `/media/${id}`, options)).data,
  }
}
