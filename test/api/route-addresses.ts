import { httpService, type Route } from '../../core-plugins/foundation/http/http.ts'
import type { TestService } from '../support/service.ts'

export interface RouteAddress {
  readonly route: Route
  readonly address: string
}

/** An address of each GET route of a service: of what is there where `values` say so, of nothing otherwise. */
export function addressesOf(
  service: TestService,
  values: Readonly<Record<string, string>> = {},
): RouteAddress[] {
  const { routes, apiPrefix } = service.kernel.get(httpService)
  return routes
    .filter(({ method }) => method === 'GET')
    .map((route) => {
      const path = route.path
        .replace(/:(\w+)/g, (_, name: string) => values[name] ?? '999999999')
        .replace(/\*$/, 'nothing')
      return { route, address: route.mountedAt === 'root' ? path : apiPrefix + path }
    })
}
