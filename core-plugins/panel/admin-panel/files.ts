import {
  AppError,
  encodingFor,
  inertPolicy,
  isNoneMatch,
  Reply,
  type RouteRequest,
} from '../../foundation/http/http.ts'
import type { BuiltFile } from './build/built-app.ts'

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json; charset=utf-8',
}

/** File names contain a hash of the content. */
const cacheControl = 'public, max-age=31536000, immutable'

/** Sends a file in the encoding compressed at build time. @throws AppError 404 */
export async function fileReply(
  file: BuiltFile | undefined,
  name: string,
  request: Pick<RouteRequest, 'header'>,
): Promise<Reply> {
  const mediaType = mediaTypes[name.slice(name.lastIndexOf('.'))]
  if (file === undefined || mediaType === undefined) throw AppError.notFound('file')
  const wanted = encodingFor(request.header('accept-encoding') ?? '')
  const compressed = wanted === undefined ? undefined : await file.read(wanted)
  const encoding = compressed === undefined ? 'plain' : wanted
  const etag = `"${name}-${encoding}"`
  const headers = {
    ...{ 'cache-control': cacheControl, etag, vary: 'accept-encoding' },
    'content-security-policy': inertPolicy,
  }
  if (isNoneMatch(request.header('if-none-match') ?? '', etag)) {
    return new Reply(304, { kind: 'raw', body: '', mediaType }, headers)
  }
  const body = compressed ?? (await file.read('plain')) ?? new Uint8Array()
  const encoded = compressed === undefined ? {} : { 'content-encoding': encoding as string }
  return new Reply(200, { kind: 'raw', body, mediaType }, { ...headers, ...encoded })
}
