import type { Auth } from '../../../accounts/auth/auth.ts'
import type { Policy, Route } from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import { creatingAction } from '../guards.ts'
import { bulkDeleteRoute, bulkPublishRoute, bulkUnpublishRoute, bulkUpdateRoute } from './bulk-routes.ts'
import { checkCreateRoute, checkUpdateRoute } from './check-routes.ts'
import { createRoute, deleteRoute, updateRoute } from './entry-routes.ts'
import { linkRoute, unlinkRoute } from './link-routes.ts'
import { publishRoute, unpublishRoute } from './publication-routes.ts'
import { listRoute, readRoute } from './read-routes.ts'
import type { RouteDeps } from './route-deps.ts'
import { type DocumentedParameters, documentRoutes } from './route-documents.ts'
import { deleteSingleRoute, putSingleRoute } from './single-routes.ts'
import { emptyTrashRoute, restoreRoute } from './trash-routes.ts'

/** The REST API of the content types; see docs/content-api.md. */
export function contentRoutes(parts: Omit<RouteDeps, 'documents'> & DocumentedParameters): Route[] {
  const deps: RouteDeps = { ...parts, documents: documentRoutes(parts.schemas, parts) }
  return [
    listRoute(deps),
    createRoute(deps),
    checkCreateRoute(deps),
    putSingleRoute(deps),
    deleteSingleRoute(deps),
    bulkUpdateRoute(deps),
    bulkDeleteRoute(deps),
    bulkPublishRoute(deps),
    bulkUnpublishRoute(deps),
    readRoute(deps),
    updateRoute(deps),
    checkUpdateRoute(deps),
    deleteRoute(deps),
    emptyTrashRoute(deps),
    restoreRoute(deps),
    publishRoute(deps),
    unpublishRoute(deps),
    linkRoute(deps),
    unlinkRoute(deps),
  ]
}

/** Who may check what they would create. */
export function checkPolicy(auth: Auth, schemas: Schemas): Policy {
  return {
    name: 'content.check',
    check: ({ principal, params: { type = '' } }) =>
      auth.mayContent(principal, type, creatingAction(schemas, type)),
  }
}

/** Restricts viewing and restoring deleted content to administrators. */
export function administratePolicy(auth: Auth) {
  return {
    name: 'content.administrate',
    check: ({ principal }: { principal: Parameters<Auth['isAdministrator']>[0] }) =>
      auth.isAdministrator(principal),
  }
}
