import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AppError,
  defineRoute,
  type Http,
  htmlPage,
  Reply,
  type Route,
  redirect,
  undocumented,
} from '../../foundation/http/http.ts'
import { contentSecurityPolicy } from './content-security-policy.ts'
import { fileReply } from './files.ts'
import { indexPage, type PageParts, signInPage } from './index-page.ts'
import type { PanelApp } from './panel-app.ts'
import { assetsPath, panelPath } from './panel-path.ts'
import type { PluginModules } from './plugin-modules.ts'

export interface PanelRoutesParts {
  readonly app: PanelApp
  readonly http: Http
  readonly modules: PluginModules
  /** The origins that its pages may currently embed. */
  readonly framed: () => readonly string[]
  /** Whether open pages reload after changes of the sources. */
  readonly isLive: boolean
}

/**
 * The routes of the panel; see docs/architecture.md. Every path below `/admin` returns the page, which finds the screen itself.
 */
export function panelRoutes({ app, http, modules, framed, isLive }: PanelRoutesParts): Route[] {
  const common = {
    method: 'GET',
    mountedAt: 'root',
    access: 'open',
    tag: 'Panel',
    isUnlimited: true,
    document: undocumented,
  } as const

  async function pageReply(write: (parts: PageParts) => string) {
    const nonce = randomBytes(16).toString('base64')
    const parts = { app: await app.current(), apiPrefix: http.apiPrefix, nonce, isLive }
    return htmlPage(write(parts), contentSecurityPolicy(nonce, framed()))
  }

  return [
    defineRoute({
      ...common,
      name: 'panel:page.read',
      path: panelPath,
      summary: 'The admin panel',
      rawResponse: 'text/html',
      handler: () => pageReply(indexPage),
    }),
    defineRoute({
      ...common,
      name: 'panel:page.redirect',
      path: `${panelPath}/`,
      summary: 'Leads to the admin panel',
      rawResponse: 'text/plain',
      handler: () => redirect(panelPath, {}, 308),
    }),
    defineRoute({
      ...common,
      name: 'panel:sign-in.read',
      path: `${panelPath}/sign-in`,
      summary: 'The page on which admin users sign in to the panel',
      rawResponse: 'text/html',
      handler: () => pageReply(signInPage),
    }),
    defineRoute({
      ...common,
      name: 'panel:files.read',
      path: `${assetsPath}*`,
      summary: 'Scripts, styles and icons of the admin panel',
      rawResponse: 'text/javascript',
      async handler(request) {
        const name = request.path.slice(assetsPath.length)
        return fileReply((await app.current()).files.get(name) ?? (await modules.file(name)), name, request)
      },
    }),
    ...(isLive ? [changesRoute({ app, modules })] : []),
    defineRoute({
      ...common,
      name: 'panel:screen.read',
      path: `${panelPath}/*`,
      summary: 'A screen of the admin panel',
      rawResponse: 'text/html',
      handler: () => pageReply(indexPage),
    }),
  ]
}

/** In development: an event stream that makes the page reload. */
const changesRoute = ({ app, modules }: Pick<PanelRoutesParts, 'app' | 'modules'>): Route =>
  defineRoute({
    name: 'panel:changes.read',
    method: 'GET',
    mountedAt: 'root',
    path: `${panelPath}/changes`,
    summary: 'Tells open pages that the panel was built anew; in development only',
    tag: 'Panel',
    access: 'open',
    isUnlimited: true,
    document: undocumented,
    rawResponse: 'text/event-stream',
    handler({ signal, isHead }) {
      if (isHead) throw new AppError('METHOD_NOT_ALLOWED', 'use GET here')
      const stream = new Readable({ read() {} })
      const notify = () => void stream.push('data: built\n\n')
      const ends = [app.onBuilt(notify), modules.onChange(notify)]
      signal.addEventListener('abort', () => {
        for (const end of ends) end()
        stream.push(null)
      })
      stream.push(': open\n\n')
      return new Reply(
        200,
        { kind: 'stream', stream, mediaType: 'text/event-stream' },
        { 'cache-control': 'no-store' },
      )
    },
  })
