import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import type { Awaitable } from '../../../../kernel/index.ts'
import { upTo } from '../../../../kernel/index.ts'
import { isNoneMatch, Reply, type RouteRequest } from '../../../foundation/http/http.ts'
import { isMediaKey } from '../media-key.ts'
import type { ByteRange, MediaStorage } from '../storage.ts'
import { readRange } from './byte-range.ts'

/** What is under a key never changes: whoever has it may keep it. */
const cacheControl = 'public, max-age=31536000, immutable'

const rememberedSizes = 10_000
/** Derived files may be removed at any time, and another process does not hear of it. */
const derivedTrustMs = 60_000

/** What an answer depends on. */
export type FileRequest = Pick<RouteRequest, 'header' | 'isHead'>

/** A file of the storage that is to be answered. */
export interface ServedFile {
  readonly key: string
  readonly mediaType: string
  /** Besides those that every file has; asked only for files that exist. */
  headers(): Awaitable<Readonly<Record<string, string>>>
}

/** Answers the bytes of stored files: whole, in parts, or from the client's cache. */
export interface FileServer {
  /** Whether clients get files from somewhere else. */
  leadsElsewhere(): boolean
  /** Undefined if there is no such file. @throws AppError 503 */
  serve(request: FileRequest, file: ServedFile): Promise<Reply | undefined>
}

/** Makes the access to the bytes of the storage. */
export function createFileServer(storage: () => MediaStorage): FileServer {
  const sizes = new LRUCache<string, number>(upTo(rememberedSizes))

  /** A distant storage takes its time to say what cannot change. */
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

/** A derived file may be made anew by another version of an encoder: its size tells most of those apart. */
function etagOf(key: string, size: number): string {
  return isMediaKey(key) ? `"${key}"` : `"${key}:${size}"`
}

/** Addresses of distant stores may be signed for a while only, and so are not to be kept. */
function redirectTo(location: string): Reply {
  const headers = { location, 'cache-control': 'no-store' }
  return new Reply(302, { kind: 'raw', body: '', mediaType: 'text/plain' }, headers)
}

function unsatisfiable(size: number): Reply {
  const headers = { 'content-range': `bytes */${size}`, 'cache-control': 'no-store' }
  return new Reply(416, { kind: 'raw', body: '', mediaType: 'text/plain' }, headers)
}

/** `If-Range` compares strongly; a date never fits, as there is none. */
function isForThisVersion(request: FileRequest, etag: string): boolean {
  const version = request.header('if-range')
  return version === undefined || version.trim() === etag
}
