import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import { type Config, siteDescription, siteName } from '../../foundation/config/config.ts'
import type { Http, Principal, Route } from '../../foundation/http/http.ts'
import type { Docs } from './docs.ts'
import { describeApi, type OpenApiDocument, type ShownRoute, shownRoutes } from './openapi.ts'

/** There are few roles, and most may use everything or the same part. */
const maxKeptTexts = 10

export interface DocsParts {
  readonly http: Http
  readonly config: Config
  /** The names of content types. */
  readonly types: readonly string[]
  readonly isAdministrator: (principal: Principal) => boolean
}

/** Creates the API document, complete or for a caller; caches results until `forget`. */
export function createDocs({ http, config, types, isAdministrator }: DocsParts): Docs & { forget(): void } {
  const texts = new LRUCache<string, string>(upTo(maxKeptTexts))
  let all: readonly ShownRoute[] | undefined
  let whole: OpenApiDocument | undefined

  const routes = () => {
    all ??= shownRoutes(http)
    return all
  }
  const describe = (shown: readonly ShownRoute[]) =>
    describeApi(http, shown, { title: config.get(siteName), description: config.get(siteDescription) })

  async function usableBy(
    principal: Principal,
    matches: (route: Route) => boolean = () => true,
  ): Promise<ShownRoute[]> {
    const usable: ShownRoute[] = []
    for (const shown of routes()) {
      if (matches(shown.route) && (await mayUse(principal, shown))) usable.push(shown)
    }
    return usable
  }

  /** Administrators build frontends, so they also see what content users may do with their own accounts. */
  async function shownToAdministrator(principal: Principal): Promise<readonly ShownRoute[]> {
    const usable = new Set(await usableBy(principal))
    return routes().filter((shown) => usable.has(shown) || shown.route.access === 'user')
  }

  /** A route with one variant for all content types is shown to callers who may use it with at least one type. */
  async function mayUse(principal: Principal, { route, variant }: ShownRoute): Promise<boolean> {
    if (variant.values !== undefined || !/\/:type(\/|$)/.test(route.path)) {
      return http.admits(route, { principal, params: variant.values ?? {} })
    }
    for (const type of types) if (await http.admits(route, { principal, params: { type } })) return true
    return false
  }

  return {
    document() {
      whole ??= describe(routes())
      return whole
    },
    async textFor(principal) {
      const usable = isAdministrator(principal)
        ? await shownToAdministrator(principal)
        : await usableBy(principal)
      const key = usable.map(({ variant }) => variant.name).join()
      const kept = texts.get(key)
      if (kept !== undefined) return kept
      const text = JSON.stringify(describe(usable))
      texts.set(key, text)
      return text
    },
    usableBy,
    describe,
    forget() {
      whole = undefined
      texts.clear()
    },
  }
}
