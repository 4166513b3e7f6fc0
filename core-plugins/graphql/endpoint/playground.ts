import { signInPage, signInScript } from '../../auth/auth.ts'
import type { Config } from '../../config/config.ts'
import { AppError, defineRoute, type Http, Reply, type Route } from '../../http/http.ts'
import { playground } from '../settings.ts'
import { createPlaygroundFiles, type PlaygroundFiles } from './playground-files.ts'
import { startScript, storageKey } from './playground-script.ts'

/** A page on which queries can be tried; see docs/graphql.md. */
export interface Playground {
  /** @throws AppError 404 where it is switched off */
  page(): Promise<Reply>
  /** What the page needs; open, as none of it is secret. */
  readonly routes: readonly Route[]
}

const pageHeaders = {
  'content-security-policy': [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
  ].join('; '),
  'cache-control': 'no-store',
} as const

/** For the case that one is opened by itself. */
const fileHeaders = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
} as const

export function createPlayground(http: Http, config: Config): Playground {
  let files: PlaygroundFiles | undefined
  const found = () => {
    if (!config.get(playground)) throw AppError.notFound('the playground')
    files ??= createPlaygroundFiles()
    return files
  }
  const base = () => `${http.apiPrefix}/graphql/assets/`
  const ownFiles: Readonly<Record<string, () => string>> = {
    'mortise-start.js': () => startScript(http.apiPrefix),
    'mortise-sign-in.js': () =>
      signInScript({ apiPrefix: http.apiPrefix, next: `${http.apiPrefix}/graphql`, storageKey }),
  }

  async function asset(path: string): Promise<Reply> {
    const present = found()
    if (Object.hasOwn(ownFiles, path)) {
      const mediaType = 'text/javascript; charset=utf-8'
      return new Reply(200, { kind: 'raw', body: ownFiles[path]?.() ?? '', mediaType }, fileHeaders)
    }
    const file = await present.read(path)
    if (file === undefined) throw AppError.notFound('file')
    return new Reply(
      200,
      { kind: 'raw', ...file },
      { ...fileHeaders, 'cache-control': 'public, max-age=86400' },
    )
  }

  return {
    async page() {
      return htmlReply(await found().page(base(), `${base()}mortise-start.js`))
    },
    routes: [
      defineRoute({
        name: 'graphql:sign-in.read',
        method: 'GET',
        path: '/graphql/sign-in',
        access: 'open',
        tag: 'GraphQL',
        summary: 'A page on which an admin user signs in to the playground',
        rawResponse: 'text/html',
        handler() {
          found()
          return htmlReply(signInPage('Mortise GraphQL', `${base()}mortise-sign-in.js`))
        },
      }),
      defineRoute({
        name: 'graphql:assets.read',
        method: 'GET',
        path: '/graphql/assets/*',
        access: 'open',
        tag: 'GraphQL',
        summary: 'Scripts and styles of the playground',
        rawResponse: 'text/javascript',
        handler: ({ params }) => asset((params as Record<string, string>)['*'] ?? ''),
      }),
    ],
  }
}

function htmlReply(body: string): Reply {
  return new Reply(200, { kind: 'raw', body, mediaType: 'text/html; charset=utf-8' }, pageHeaders)
}
