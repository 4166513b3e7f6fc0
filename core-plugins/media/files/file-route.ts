import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import { AppError, defineRoute, isNoneMatch, Reply, type Route, type RouteRequest } from '../../http/http.ts'
import { isSafeInline, servedTypeOf, svgType } from '../identify/file-types.ts'
import type { ByteRange, MediaStorage } from '../storage.ts'
import type { Addresses } from './addresses.ts'
import { readRange } from './byte-range.ts'

export interface FileRouteDeps {
  readonly addresses: Addresses
  readonly storage: () => MediaStorage
  /** The name that a file had when it was uploaded. */
  readonly originalNameOf: (key: string) => Promise<string | undefined>
}

/** Names that this service gives: nothing else is looked for. */
const keyShape = /^[0-9a-f]{32}(_[a-z]+)?\.([a-z0-9]{1,16})$/

/** What is under a key never changes: whoever has it may keep it. */
const cacheControl = 'public, max-age=31536000, immutable'

/** An SVG can hold scripts; opened by itself it gets an origin of its own and may neither run nor load anything. */
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"

const rememberedSizes = 10_000

type FileRequest = Pick<RouteRequest, 'header' | 'isHead'>

interface ServedFile {
  readonly key: string
  readonly mediaType: string
  readonly size: number
  readonly headers: Readonly<Record<string, string>>
}

/** Specification, "Media": `GET <storage.baseUrl>/<filename>`; see docs/media.md. */
export function createFileRoute({ addresses, storage, originalNameOf }: FileRouteDeps): Route {
  const sizes = new LRUCache<string, number>({ max: rememberedSizes })

  /** A distant storage takes its time to say what cannot change. */
  async function sizeOf(key: string): Promise<number | undefined> {
    const known = sizes.get(key)
    if (known !== undefined) return known
    const found = await storage().stat(key)
    if (found !== undefined) sizes.set(key, found.size)
    return found?.size
  }

  async function headersOf(key: string, mediaType: string): Promise<Record<string, string>> {
    const isInline = isSafeInline(mediaType)
    const name = isInline ? undefined : await originalNameOf(key)
    return {
      'cache-control': cacheControl,
      etag: `"${key}"`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': isInline ? 'inline' : dispositionOf(name ?? key),
      ...(mediaType === svgType ? { 'content-security-policy': svgPolicy } : {}),
    }
  }

  async function answer(request: FileRequest, file: ServedFile): Promise<Reply> {
    const { key, mediaType, size, headers } = file
    const known = request.header('if-none-match')
    if (known !== undefined && isNoneMatch(known, headers.etag ?? '')) {
      return new Reply(304, { kind: 'raw', body: '', mediaType }, headers)
    }
    const range = isForThisVersion(request, file) ? readRange(request.header('range'), size) : undefined
    if (range === 'unsatisfiable') return unsatisfiable(size)
    const length = range === undefined ? size : range.end - range.start + 1
    const stream = request.isHead ? Readable.from([]) : await open(key, size, range)
    const partial =
      range === undefined ? {} : { 'content-range': `bytes ${range.start}-${range.end}/${size}` }
    const status = range === undefined ? 200 : 206
    return new Reply(status, { kind: 'stream', stream, mediaType, size: length }, { ...headers, ...partial })
  }

  async function open(key: string, size: number, range: ByteRange | undefined): Promise<Readable> {
    if (size === 0) return Readable.from([])
    const stream = await storage().read(key, range)
    if (stream !== undefined) return stream
    sizes.delete(key)
    throw AppError.notFound('this file')
  }

  return defineRoute({
    ...addresses.route,
    name: 'media:files.read',
    method: 'GET',
    summary: 'Read the bytes of a file',
    description: 'Takes `Range`, `If-Range` and `If-None-Match`. What is under an address never changes.',
    access: 'open',
    params: Type.Object({ filename: Type.String() }),
    rawResponse: '*/*',
    async handler(request) {
      const { filename: key } = request.params
      const extension = keyShape.exec(key)?.[2]
      if (extension === undefined) throw AppError.notFound('this file')
      const mediaType = servedTypeOf(extension)
      const store = storage()
      if (store.locate !== undefined) return redirectTo(await store.locate(key))
      const size = await sizeOf(key)
      if (size === undefined) throw AppError.notFound('this file')
      return answer(request, {
        key,
        mediaType: withCharset(mediaType),
        size,
        headers: await headersOf(key, mediaType),
      })
    },
  })
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
function isForThisVersion(request: FileRequest, { headers }: ServedFile): boolean {
  const version = request.header('if-range')
  return version === undefined || version.trim() === headers.etag
}

function withCharset(mediaType: string): string {
  return /^text\/|^application\/(json|yaml)$/.test(mediaType) ? `${mediaType}; charset=utf-8` : mediaType
}

/** For downloads, with the name in both forms of RFC 6266. */
function dispositionOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
