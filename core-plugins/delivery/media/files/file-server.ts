import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { Awaitable } from '../../../../kernel/index.ts'
import { upTo } from '../../../../kernel/index.ts'
import { isNoneMatch, Reply, type RouteRequest } from '../../../foundation/http/http.ts'
import { isMediaKey } from '../media-key.ts'
import type { ByteRange, MediaStorage } from '../storage.ts'
import { readRange } from './byte-range.ts'

/** The content under a key never changes, so clients may cache it for good. */
const cacheControl = 'public, max-age=31536000, immutable'

const rememberedSizes = 10_000
/** Derived files may be removed at any time, and other processes are not notified of it. */
const derivedTrustMs = 60_000

/** The parts of a request on which the response depends. */
export type FileRequest = Pick<RouteRequest, 'header' | 'isHead'>

/** A file of the storage to be sent. */
export interface ServedFile {
  readonly key: string
  readonly mediaType: string
  /** Headers in addition to those of every file; called only if the file exists. */
  headers(): Awaitable<Readonly<Record<string, string>>>
}

/** Sends stored files: whole, in parts, or as 304 if the client has them. */
export interface FileServer {
  /** Whether the storage redirects clients to another address. */
  leadsElsewhere(): boolean
  /** Undefined if there is no such file. @throws AppError 503 */
  serve(request: FileRequest, file: ServedFile): Promise<Reply | undefined>
}

/** Creates a file server for the storage. */
export function createFileServer(storage: () => MediaStorage): FileServer {
  const sizes = new LRUCache<string, number>(upTo(rememberedSizes))

  /** Cached, since a remote storage is slow and the size under a key never changes. */
  async function sizeOf(key: string): Promise<number | undefined> {
    const known = sizes.get(key)
    if (known !== undefined) return known
    const found = await storage().stat(key)
    if (found !== undefined) sizes.set(key, found.size, isMediaKey(key) ? {} : { ttl: derivedTrustMs })
    return found?.size
  }

  async function open(key: string, size: number, range: ByteRange | undefined) {
    if (size === 0) return Readable.from([])
    const stream = await storage().read(key, range)
    if (stream === undefined) sizes.delete(key)
    return stream
  }

  async function answer(request: FileRequest, { key, mediaType, headers }: ServedFile, size: number) {
    const etag = etagOf(key, size)
    const all = {
      'cache-control': cacheControl,
      etag,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      ...(await headers()),
    }
    const known = request.header('if-none-match')
    if (known !== undefined && isNoneMatch(known, etag)) {
      return new Reply(304, { kind: 'raw', body: '', mediaType }, all)
    }
    const range = isForThisVersion(request, etag) ? readRange(request.header('range'), size) : undefined
    if (range === 'unsatisfiable') return unsatisfiable(size)
    const length = range === undefined ? size : range.end - range.start + 1
    const stream = request.isHead ? Readable.from([]) : await open(key, size, range)
    if (stream === undefined) return undefined
    const partial =
      range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${size}` }
    const status = range === undefined ? 200 : 206
    return new Reply(status, { kind: 'stream', stream, mediaType, size: length }, { ...all, ...partial })
  }

  return {
    leadsElsewhere: () => storage().locate !== undefined,
    async serve(request, file) {
      const store = storage()
      if (store.locate !== undefined && isMediaKey(file.key)) return redirectTo(await store.locate(file.key))
      const size = await sizeOf(file.key)
      if (size === undefined) return undefined
      if (store.locate !== undefined) return redirectTo(await store.locate(file.key))
      return answer(request, file, size)
    },
  }
}

/** Another version of an encoder may produce a derived file again; the size in the tag tells most of those versions apart. */
function etagOf(key: string, size: number): string {
  return isMediaKey(key) ? `"${key}"` : `"${key}:${size}"`
}

/** Not cached, since the addresses of a remote storage may be signed and expire. */
function redirectTo(location: string): Reply {
  const headers = { location, 'cache-control': 'no-store' }
  return new Reply(302, { kind: 'raw', body: '', mediaType: 'text/plain' }, headers)
}

function unsatisfiable(size: number): Reply {
  const headers = { 'content-range': `bytes */${size}`, 'cache-control': 'no-store' }
  return new Reply(416, { kind: 'raw', body: '', mediaType: 'text/plain' }, headers)
}

/** `If-Range` needs a strong match. A date never matches, since no `Last-Modified` is sent. */
function isForThisVersion(request: FileRequest, etag: string): boolean {
  const version = request.header('if-range')
  return version === undefined || version.trim() === etag
}
