import { randomBytes } from 'node:crypto'
import { signInPage, signInScript } from '../../../accounts/auth/auth.ts'
import type { Config } from '../../../foundation/config/config.ts'
import {
  AppError,
  defineRoute,
  type Http,
  htmlPage,
  pageFilesRoute,
  type Reply,
  type Route,
  undocumented,
} from '../../../foundation/http/http.ts'
import { playground } from '../settings.ts'
import { type PlaygroundFiles, readPlayground } from './bundle.ts'
import { playgroundPage, policyOf } from './page.ts'

/** A page to try queries; see docs/graphql.md. */
export interface Playground {
  /** @throws AppError 404 if it is switched off */
  page(): Reply
  /** The files of the page; public, since none of them is secret. */
  readonly routes: readonly Route[]
}

const filesPath = '/graphql/assets'

export function createPlayground({ apiPrefix }: Pick<Http, 'apiPrefix'>, config: Config): Playground {
  let files: Promise<PlaygroundFiles> | undefined
  const assertOn = () => {
    if (!config.get(playground)) throw AppError.notFound('the playground')
  }
  const read = async (name: keyof PlaygroundFiles) => {
    files ??= readPlayground().catch((error) => {
      files = undefined
      throw error
    })
    return (await files)[name]
  }
  const base = apiPrefix + filesPath

  return {
    page() {
      assertOn()
      const nonce = randomBytes(16).toString('base64')
      return htmlPage(playgroundPage({ apiPrefix, base, nonce }), policyOf(nonce))
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
        document: undocumented,
        handler() {
          assertOn()
          return signInPage('Mortise GraphQL', `${base}/sign-in.js`)
        },
      }),
      pageFilesRoute({
        name: 'graphql:assets.read',
        path: filesPath,
        tag: 'GraphQL',
        summary: 'Scripts and styles of the playground',
        files() {
          assertOn()
          return {
            'playground.js': () => read('playground.js'),
            'playground.css': () => read('playground.css'),
            'sign-in.js': () => signInScript({ apiPrefix, next: `${apiPrefix}/graphql` }),
          }
        },
      }),
    ],
  }
}
