import { Type } from 'typebox'
import { AppError, defineRoute, type Reply, type Route, redirect } from '../../../foundation/http/http.ts'
import { isSafeInline, servedTypeOf, svgType } from '../identify/file-types.ts'
import type { Addresses } from './addresses.ts'
import { attachmentNamed } from './attachment.ts'
import type { FileServer } from './file-server.ts'
import type { FormerFiles } from './former-files.ts'

export interface FileRouteDeps {
  readonly addresses: Addresses
  readonly server: FileServer
  readonly formerFiles: FormerFiles
  /** The name that a file had when it was uploaded. */
  readonly originalNameOf: (key: string) => Promise<string | undefined>
}

/** Matches the names that this service generates; requests for other names are not looked up. */
const keyShape = /^[0-9a-f]{32}(_[a-z]+)?\.([a-z0-9]{1,16})$/

/** A redirect is not cached, since the file may be replaced again. */
const noStore = { 'cache-control': 'no-store' }

/**
 * SVG and other XML can contain scripts. Opened directly, such a file gets an opaque origin and may neither run scripts nor
 * load anything.
 */
const documentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"

/** Specification, "Media": `GET <storage.baseUrl>/<filename>`; see docs/media.md. */
export function createFileRoute({ addresses, server, formerFiles, originalNameOf }: FileRouteDeps): Route {
  async function headersOf(key: string, mediaType: string): Promise<Record<string, string>> {
    const isInline = isSafeInline(mediaType)
    const name = isInline ? undefined : await originalNameOf(key)
    return {
      'content-disposition': isInline ? 'inline' : attachmentNamed(name ?? key),
      ...(isInline && mediaType !== svgType ? {} : { 'content-security-policy': documentPolicy }),
    }
  }

  /**
   * Redirects a replaced file to the present one. A thumbnail also leads to the full file, since the new one may lack that
   * size.
   */
  async function toPresent(key: string): Promise<Reply | undefined> {
    const present = await formerFiles.presentOf(key)
    return present === undefined ? undefined : redirect(addresses.urlOf(present), noStore)
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
      // A storage that redirects clients does not check whether the file exists.
      const moved = server.leadsElsewhere() ? await toPresent(key) : undefined
      if (moved !== undefined) return moved
      const found = await server.serve(request, {
        key,
        mediaType: withCharset(mediaType),
        headers: () => headersOf(key, mediaType),
      })
      const answer = found ?? (await toPresent(key))
      if (answer === undefined) throw AppError.notFound('file')
      return answer
    },
  })
}

function withCharset(mediaType: string): string {
  return /^text\/|^application\/(json|yaml|x-subrip)$/.test(mediaType)
    ? `${mediaType}; charset=utf-8`
    : mediaType
}
