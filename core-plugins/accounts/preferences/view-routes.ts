import { Type } from 'typebox'
import {
  AppError,
  created,
  defineRoute,
  idParams,
  ignored,
  orNull,
  type Principal,
  presenterOf,
  type Route,
  strict,
  textSchema,
  timestampSchema,
} from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Auth } from '../auth/auth.ts'
import { adminId } from './preference-routes.ts'
import type { ViewRow } from './tables.ts'
import { maxOwnViews, maxSharedViews, type ViewStore } from './view-store.ts'

export interface ViewRoutesParts {
  readonly store: ViewStore
  readonly auth: Auth
  readonly schemas: Schemas
}

const maxBytes = 16 * 1024

const roleNames = orNull(
  Type.Array(textSchema({ minLength: 1, maxLength: 255 }), { minItems: 1, maxItems: 50, uniqueItems: true }),
)

const content = {
  name: textSchema({ minLength: 1, maxLength: 100 }),
  config: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Filters, columns, order: any JSON object',
  }),
}

const viewSchema = Type.Object(
  {
    id: Type.Integer(),
    type: Type.String(),
    ...content,
    roles: roleNames,
    owner: Type.Object({ id: Type.Integer() }, strict),
    mine: Type.Boolean(),
    editable: Type.Boolean({ description: 'The caller may change and delete it' }),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  },
  strict,
)

const sent = {
  ...content,
  roles: Type.Optional({ ...roleNames, description: 'Whom it is shared with; null or left out: nobody' }),
}

const base = { tag: 'Views', access: 'admin-user', maxBodyBytes: maxBytes, audit: false } as const

/** See docs/admin-api.md. */
export function viewRoutes(parts: ViewRoutesParts): Route[] {
  return [listViews(parts), createView(parts), updateView(parts), deleteView(parts)]
}

const listViews = (parts: ViewRoutesParts) =>
  defineRoute({
    ...base,
    name: 'admin:views.list',
    method: 'GET',
    path: '/admin/views',
    summary: 'Saved views of a type: those of the caller, and those shared with their role',
    query: Type.Object({ type: Type.String({ maxLength: 64 }) }, strict),
    response: Type.Array(viewSchema),
    async handler({ principal, query: { type } }) {
      assertReadable(parts, principal, type)
      const views = await parts.store.list(type, adminId(principal))
      return views
        .filter((view) => isVisible(parts.auth, principal, view))
        .map(presentTo(parts.auth, principal))
    },
  })

const createView = (parts: ViewRoutesParts) =>
  defineRoute({
    ...base,
    name: 'admin:views.create',
    method: 'POST',
    path: '/admin/views',
    summary: 'Save a view',
    description:
      `At most ${maxOwnViews} of a type for each admin user, and ${maxSharedViews} shared ones of a type. ` +
      'Administrators share with any role, others with their own.',
    body: Type.Object({ type: Type.String({ maxLength: 64 }), ...sent }, strict),
    response: viewSchema,
    successStatus: 201,
    async handler({ principal, body: { type, name, config, roles = null } }) {
      assertReadable(parts, principal, type)
      assertMayShare(parts.auth, principal, roles)
      const view = await parts.store.create(type, adminId(principal), { name, config, roles })
      return created(presentTo(parts.auth, principal)(view))
    },
  })

const updateView = (parts: ViewRoutesParts) =>
  defineRoute({
    ...base,
    name: 'admin:views.update',
    method: 'PUT',
    path: '/admin/views/:id',
    summary: 'Change a view',
    description: 'By its owner, and by administrators if it is shared.',
    params: idParams,
    body: Type.Object(
      {
        ...{ name: Type.Optional(sent.name), config: Type.Optional(sent.config), roles: sent.roles },
        ...ignored('id', 'type', 'owner', 'mine', 'editable', 'created_at', 'updated_at'),
      },
      strict,
    ),
    response: viewSchema,
    async handler({ principal, params: { id }, body }) {
      const view = await parts.store.update(id, (stored) => {
        assertEditable(parts, principal, stored)
        const { name = stored.name, config = JSON.parse(stored.config), roles = stored.roles } = body
        if (body.roles !== undefined) assertMayShare(parts.auth, principal, roles)
        return { name, config, roles }
      })
      return presentTo(parts.auth, principal)(view)
    },
  })

const deleteView = (parts: ViewRoutesParts) =>
  defineRoute({
    ...base,
    name: 'admin:views.delete',
    method: 'DELETE',
    path: '/admin/views/:id',
    summary: 'Delete a view',
    description: 'By its owner, and by administrators if it is shared.',
    params: idParams,
    response: Type.Null(),
    async handler({ principal, params: { id } }) {
      await parts.store.remove(id, (view) => assertEditable(parts, principal, view))
      return null
    },
  })

/** The error for a type that the caller may not read is the same as for a missing type. */
function assertReadable({ auth, schemas }: ViewRoutesParts, principal: Principal, type: string) {
  if (!auth.mayContent(principal, type, 'read')) auth.refuse(principal)
  if (!schemas.types.has(type)) throw AppError.notFound('content type')
}

function isOwner(principal: Principal, view: ViewRow): boolean {
  return principal.kind === 'admin' && principal.id === view.ownerId
}

function isVisible(auth: Auth, principal: Principal, view: ViewRow): boolean {
  if (isOwner(principal, view)) return true
  if (view.roles === null || principal.kind !== 'admin') return false
  return auth.isAdministrator(principal) || view.roles.includes(principal.role)
}

function isEditable(auth: Auth, principal: Principal, view: ViewRow): boolean {
  return isOwner(principal, view) || (view.isShared && auth.isAdministrator(principal))
}

/** A view that the caller may not see is reported as missing; one that they see but may not change is refused. */
function assertEditable({ auth }: ViewRoutesParts, principal: Principal, view: ViewRow) {
  const mayRead = auth.mayContent(principal, view.type, 'read')
  if (!mayRead || !isVisible(auth, principal, view)) throw AppError.notFound('view')
  if (!isEditable(auth, principal, view)) throw AppError.forbidden()
}

function assertMayShare(auth: Auth, principal: Principal, roles: readonly string[] | null) {
  if (roles === null || auth.isAdministrator(principal)) return
  const isOwnOnly = principal.kind === 'admin' && roles.every((role) => role === principal.role)
  if (!isOwnOnly) throw AppError.forbidden()
}

const present = presenterOf(viewSchema)

const presentTo = (auth: Auth, principal: Principal) => (view: ViewRow) =>
  present({
    ...view,
    config: JSON.parse(view.config),
    owner: { id: view.ownerId },
    mine: isOwner(principal, view),
    editable: isEditable(auth, principal, view),
  })
