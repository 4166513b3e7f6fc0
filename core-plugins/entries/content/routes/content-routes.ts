import type { Auth } from '../../../accounts/auth/auth.ts'
import { defineRoute, type Policy, type Route } from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import { creatingAction } from '../operations/check.ts'
import type { OfferedOperation } from '../operations/offered-operations.ts'
import type { WriteDeps } from '../write/write-deps.ts'
import { variantsOf } from './documents.ts'
import { listRoute, type ReadRouteDeps, readRoute } from './read-routes.ts'

export interface RouteDeps extends ReadRouteDeps {
  readonly operations: readonly OfferedOperation[]
  readonly writes: WriteDeps
}

/** The REST API of the content types; see docs/content-api.md. */
export function contentRoutes(deps: RouteDeps): Route[] {
  const all = deps.operations.flatMap((operation) => routesOf(operation, deps))
  // The API document lists routes of the type before routes of single entries.
  const firstOfEntry = all.findIndex(({ path }) => path.startsWith('/content/:type/:id'))
  return [listRoute(deps), ...all.slice(0, firstOfEntry), readRoute(deps), ...all.slice(firstOfEntry)]
}

/** Empty if REST does not offer the operation. */
function routesOf({ route, scope, policies, isOf, run }: OfferedOperation, deps: RouteDeps): Route[] {
  if (route === undefined) return []
  const { writes, ...parts } = deps
  return [
    defineRoute({
      ...route,
      name: `content:${route.name}`,
      path: `/content/:type${route.path}`,
      ...{ access: 'permission', scope, policies },
      document: variantsOf(route, parts, (type) => route.document(type, parts), isOf),
      handler: (request) => route.handler(request, run, writes),
    }),
  ]
}

/** Lets callers check a payload if they may create the entry. */
export function checkPolicy(auth: Auth, { types }: Schemas): Policy {
  return {
    name: 'content.check',
    check: ({ principal, params: { type = '' } }) =>
      auth.mayContent(principal, type, creatingAction(types.get(type))),
  }
}

/** Restricts viewing and restoring deleted content to administrators. */
export function administratePolicy(auth: Auth): Policy {
  return {
    name: 'content.administrate',
    check: ({ principal }) => auth.isAdministrator(principal),
  }
}
