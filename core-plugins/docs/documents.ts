import { LRUCache } from 'lru-cache'
import { type Config, siteDescription, siteName } from '../config/config.ts'
import type { Http, Principal } from '../http/http.ts'
import type { Docs } from './docs.ts'
import { describeApi, type OpenApiDocument, type ShownRoute, shownRoutes } from './openapi.ts'

/** There are few roles, and most may use either everything or the same part. */
const maxKeptTexts = 10

/** Creates the API document, complete or for a caller; caches results until `forget`. */
export function createDocs(http: Http, config: Config): Docs & { forget(): void } {
  const texts = new LRUCache<string, string>({ max: maxKeptTexts })
  let all: readonly ShownRoute[] | undefined
  let whole: OpenApiDocument | undefined

  const routes = () => {
    all ??= shownRoutes(http)
    return all
  }
  const describe = (shown: readonly ShownRoute[]) =>
    describeApi(http, shown, { title: config.get(siteName), description: config.get(siteDescription) })

  async function usableBy(principal: Principal): Promise<ShownRoute[]> {
    const usable: ShownRoute[] = []
    for (const shown of routes()) {
      const { route, variant } = shown
      if (await http.admits(route, { principal, params: variant.values ?? {} })) usable.push(shown)
    }
    return usable
  }

  return {
    document() {
      whole ??= describe(routes())
      return whole
    },
    async textFor(principal) {
      const usable = await usableBy(principal)
      const key = usable.map(({ variant }) => variant.name).join()
      const kept = texts.get(key)
      if (kept !== undefined) return kept
      const text = JSON.stringify(describe(usable))
      texts.set(key, text)
      return text
    },
    forget() {
      whole = undefined
      texts.clear()
    },
  }
}
