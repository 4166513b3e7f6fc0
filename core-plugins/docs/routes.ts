import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Type } from 'typebox'
import { signInPage, signInScript } from '../auth/auth.ts'
import { AppError, defineRoute, type Http, Reply, type Route } from '../http/http.ts'
import type { Docs } from './docs.ts'
import { viewerPage, viewerScript } from './viewer-page.ts'

const contentSecurityPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

/** Files of swagger-ui-dist; everything else in its folder is not served. */
const libraryFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

/** See docs/http.md: the document and its viewer require signing in. */
export function docsRoutes(docs: Docs, http: Http): Route[] {
  const ownFiles: Readonly<Record<string, () => string>> = {
    'viewer.js': () => viewerScript(http.apiPrefix),
    'sign-in.js': () => signInScript({ apiPrefix: http.apiPrefix, next: `${http.apiPrefix}/_docs` }),
  }
  const signedIn = {
    access: 'permission',
    session: 'cookie',
    policies: ['isAuthenticated'],
    scope: 'content:read',
  } as const

  return [
    defineRoute({
      ...signedIn,
      name: 'docs:document.read',
      method: 'GET',
      path: '/_docs/openapi.json',
      summary: 'The OpenAPI 3.1 document of what you may use',
      rawResponse: 'application/json',
      async handler({ principal }) {
        const body = await docs.textFor(principal)
        return new Reply(
          200,
          { kind: 'raw', body, mediaType: 'application/json; charset=utf-8' },
          { 'cache-control': 'private, no-cache', vary: 'authorization, cookie' },
        )
      },
    }),
    defineRoute({
      ...signedIn,
      name: 'docs:viewer.read',
      method: 'GET',
      path: '/_docs',
      summary: 'The API document in a viewer',
      description: 'In a browser, sign in at `/_docs/sign-in` first.',
      rawResponse: 'text/html',
      handler: () => htmlReply(viewerPage(http.apiPrefix)),
    }),
    defineRoute({
      access: 'open',
      name: 'docs:sign-in.read',
      method: 'GET',
      path: '/_docs/sign-in',
      summary: 'A page on which an admin user signs in to the viewer',
      rawResponse: 'text/html',
      handler: () => htmlReply(signInPage('Mortise API', `${http.apiPrefix}/_docs/assets/sign-in.js`)),
    }),
    defineRoute({
      access: 'open',
      name: 'docs:assets.read',
      method: 'GET',
      path: '/_docs/assets/:file',
      params: Type.Object({ file: Type.String() }),
      summary: 'Scripts and styles of the viewer',
      rawResponse: 'text/javascript',
      async handler({ params: { file } }) {
        if (Object.hasOwn(ownFiles, file)) return scriptReply(ownFiles[file]?.() ?? '')
        const mediaType = Object.hasOwn(libraryFiles, file) ? libraryFiles[file] : undefined
        if (mediaType === undefined) throw AppError.notFound('file')
        const body = await readFile(join(libraryFolder(), file))
        return new Reply(200, { kind: 'raw', body, mediaType }, { 'cache-control': 'public, max-age=86400' })
      },
    }),
  ]
}

function libraryFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}

function htmlReply(body: string): Reply {
  return new Reply(
    200,
    { kind: 'raw', body, mediaType: 'text/html; charset=utf-8' },
    { 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-store' },
  )
}

function scriptReply(body: string): Reply {
  return new Reply(200, { kind: 'raw', body, mediaType: 'text/javascript; charset=utf-8' })
}
