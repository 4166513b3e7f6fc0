import { signInPage, signInScript } from '../../accounts/auth/auth.ts'
import {
  defineRoute,
  type Http,
  htmlPage,
  type PageFiles,
  pageFilesRoute,
  Reply,
  type Route,
  undocumented,
} from '../../foundation/http/http.ts'
import type { Docs } from './docs.ts'
import { readLibraryFile } from './viewer-library.ts'
import { viewerPage, viewerScript } from './viewer-page.ts'

/** Styles are allowed inline, since the viewer sets them on its elements. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const filesPath = '/_docs/assets'

/** See docs/http.md: the document and its viewer require a sign-in. */
export function docsRoutes(docs: Docs, { apiPrefix }: Pick<Http, 'apiPrefix'>): Route[] {
  const files: PageFiles = {
    'swagger-ui.css': () => readLibraryFile('swagger-ui.css'),
    'swagger-ui-bundle.js': () => readLibraryFile('swagger-ui-bundle.js'),
    'viewer.js': () => viewerScript(apiPrefix),
    'sign-in.js': () => signInScript({ apiPrefix, next: `${apiPrefix}/_docs` }),
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
      document: undocumented,
      handler: () => htmlPage(viewerPage(apiPrefix + filesPath), contentSecurityPolicy),
    }),
    defineRoute({
      access: 'open',
      name: 'docs:sign-in.read',
      method: 'GET',
      path: '/_docs/sign-in',
      summary: 'A page on which an admin user signs in to the viewer',
      rawResponse: 'text/html',
      document: undocumented,
      handler: () => signInPage('Mortise API', `${apiPrefix}${filesPath}/sign-in.js`),
    }),
    pageFilesRoute({
      name: 'docs:assets.read',
      path: filesPath,
      tag: 'Docs',
      summary: 'Scripts and styles of the viewer',
      files: () => files,
    }),
  ]
}
