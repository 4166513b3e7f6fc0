import type { Auth, ContentAction, MediaAction } from '../../../accounts/auth/auth.ts'
import type { Principal, Route } from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'

const contentActions: readonly ContentAction[] = ['read', 'create', 'update', 'delete', 'publish']
const mediaActions: readonly MediaAction[] = ['read', 'write', 'delete']

/** A caller's permissions, so that the panel hides controls that would fail. */
export interface CallerPermissions {
  /** By type; types that the caller may not read are left out. */
  readonly content: Readonly<Record<string, readonly ContentAction[]>>
  readonly media: readonly MediaAction[]
  /** `read` and `write` by area: backups, jobs, webhooks … Areas of plugins that are off are left out. */
  readonly areas: Readonly<Record<string, readonly string[]>>
  readonly isAdministrator: boolean
  readonly isSuperAdmin: boolean
}

export interface PermissionsParts {
  readonly auth: Auth
  readonly schemas: Schemas
  /** Complete once the service has started. */
  routes(): readonly Route[]
}

/** Creates the function that lists a caller's permissions, precomputing what does not depend on the caller. */
export function createCallerPermissions({ auth, schemas, routes }: PermissionsParts) {
  const types = [...schemas.types.keys()]
  let scopes: readonly string[] | undefined
  const areaScopes = () => {
    scopes ??= [...new Set(routes().flatMap(scopesOfArea))].sort()
    return scopes
  }

  return (principal: Principal): CallerPermissions => ({
    content: Object.fromEntries(
      types
        .filter((type) => auth.mayContent(principal, type, 'read'))
        .map((type) => [type, contentActions.filter((action) => auth.mayContent(principal, type, action))]),
    ),
    media: mediaActions.filter((action) => auth.mayMedia(principal, action)),
    areas: groupByArea(areaScopes().filter((scope) => auth.mayAdminister(principal, scope))),
    isAdministrator: auth.isAdministrator(principal),
    isSuperAdmin: auth.isSuperAdmin(principal),
  })
}

const scopesOfArea = ({ access, scope }: Route) => (access === 'area' ? [scope ?? []].flat() : [])

/** Groups scopes by area: `admin:jobs:read` is `read` for `jobs`, and `webhooks:read` is `read` for `webhooks`. */
function groupByArea(scopes: readonly string[]): Record<string, string[]> {
  const areas: Record<string, string[]> = {}
  for (const scope of scopes) {
    const [action = '', area = ''] = scope.split(':').reverse()
    areas[area] = [...(areas[area] ?? []), action]
  }
  return areas
}
