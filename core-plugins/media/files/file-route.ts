import { Type } from 'typebox'
import { AppError, defineRoute, type Route } from '../../http/http.ts'
import { isSafeInline, servedTypeOf, svgType } from '../identify/file-types.ts'
import type { Addresses } from './addresses.ts'
import type { FileServer } from './file-server.ts'

export interface FileRouteDeps {
  readonly addresses: Addresses
  readonly server: FileServer
  /** The name that a file had when it was uploaded. */
  readonly originalNameOf: (key: string) => Promise<string | undefined>
}

/** Names that this service gives: nothing else is looked for. */
const keyShape = /^[0-9a-f]{32}(_[a-z]+)?\.([a-z0-9]{1,16})$/

/**
 * SVG and other XML can hold scripts; opened by itself, such a file gets an origin of its own and may neither run nor load
 * anything.
 */
const documentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"

/** Specification, "Media": `GET <storage.baseUrl>/<filename>`; see docs/media.md. */
export function createFileRoute({ addresses, server, originalNameOf }: FileRouteDeps): Route {
  async function headersOf(key: string, mediaType: string): Promise<Record<string, string>> {
    const isInline = isSafeInline(mediaType)
    const name = isInline ? undefined : await originalNameOf(key)
    return {
      'content-disposition': isInline ? 'inline' : dispositionOf(name ?? key),
      ...(isInline && mediaType !== svgType ? {} : { 'content-security-policy': documentPolicy }),
    }
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
      if (extension === undefined) throw AppError.notFound('file')
      const mediaType = servedTypeOf(extension)
      const found = await server.serve(request, {
        key,
        mediaType: withCharset(mediaType),
        headers: () => headersOf(key, mediaType),
      })
      if (found === undefined) throw AppError.notFound('file')
      return found
    },
  })
}

function withCharset(mediaType: string): string {
  return /^text\/|^application\/(json|yaml|x-subrip)$/.test(mediaType)
    ? `${mediaType}; charset=utf-8`
    : mediaType
}

/** For downloads, with the name in both forms of RFC 6266. */
export function dispositionOf(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
