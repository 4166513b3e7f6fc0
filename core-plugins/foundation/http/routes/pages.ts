import { Type } from 'typebox'
import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import { AppError } from '../answers/app-error.ts'
import { Reply } from '../answers/reply.ts'
import { defineRoute, type Route, type RouteVariant } from './route.ts'

/**
 * The policy of files that a page loads, in case one is opened by itself: it may not run or load anything, nor be
 * framed.
 */
export const inertPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

/**
 * For `document` of a route: pages that people open in a browser, and the files these load, are not part of the API.
 */
export const undocumented = (): readonly RouteVariant[] => []

/** No type that a browser would open as a page. */
const mediaTypes = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const

type Extension = keyof typeof mediaTypes

/** The files that a page of the service loads, by name. */
export type PageFiles = Readonly<Record<`${string}.${Extension}`, () => Awaitable<string>>>

export interface PageFilesOptions {
  /** For example `docs:assets.read`. */
  readonly name: string
  /** The path below which the page loads them: `/_docs/assets`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  /**
   * All files that are currently served. Only these names: the folders of other packages also contain pages, some of
   * which run what they are sent, and nothing that could act on this origin may be served.
   */
  readonly files: () => PageFiles
}

/** The route of the scripts and styles that a page of the service consists of, its own and those of other packages. */
export function pageFilesRoute({ name, path, tag, summary, files }: PageFilesOptions): Route {
  return defineRoute({
    ...{ name, tag, summary },
    method: 'GET',
    path: `${path}/:file`,
    access: 'open',
    params: Type.Object({ file: Type.String() }),
    rawResponse: 'text/javascript',
    document: undocumented,
    handler({ params: { file } }) {
      const found = files()
      const read = Object.hasOwn(found, file) ? found[file as keyof PageFiles] : undefined
      if (read === undefined) throw AppError.notFound('file')
      const mediaType = mediaTypes[file.slice(file.lastIndexOf('.') + 1) as Extension]
      return andThen(read(), (body) => new Reply(200, { kind: 'raw', body, mediaType }, headers))
    },
  })
}

/** A page of the service with the content security policy that it needs. */
export const htmlPage = (body: string, contentSecurityPolicy: string): Reply =>
  new Reply(
    200,
    { kind: 'raw', body, mediaType: 'text/html; charset=utf-8' },
    {
      'content-security-policy': contentSecurityPolicy,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  )

/** File names stay the same from version to version, so browsers must revalidate. */
const headers = { 'content-security-policy': inertPolicy, 'cache-control': 'public, no-cache' } as const
