import { type Static, Type } from 'typebox'
import {
  AppError,
  assertValid,
  created,
  defineRoute,
  idParams,
  type Principal,
  type Route,
  strict,
} from '../../../foundation/http/http.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Auth, Permissions } from '../auth-service.ts'
import type { Role } from '../tables.ts'
import { isSuperAdmin, mayHandOut, refuse } from './authorization.ts'
import { isReservedForSuperAdmin, superAdmin } from './built-in-roles.ts'
import {
  type HoldersOf,
  newRoleBody,
  permissionsOf,
  presentRole,
  roleChangeBody,
  roleSchema,
  typeProblems,
} from './role-payloads.ts'
import type { Roles } from './roles.ts'

const read = { tag: 'Roles', access: 'area', scope: 'admin:roles:read' } as const
const write = { tag: 'Roles', access: 'area', scope: 'admin:roles:write' } as const

export interface RoleRoutesOptions {
  readonly roles: Roles
  readonly auth: Auth
  /** The names of the content types that permissions can refer to. */
  readonly types: ReadonlySet<string>
  readonly adminUsers: Accounts
  readonly contentUsers: Accounts
}

/** Specification, "Roles and API tokens". */
export function createRoleRoutes(options: RoleRoutesOptions): Route[] {
  return [
    listRoles(options),
    readRole(options),
    createRole(options),
    updateRole(options),
    deleteRole(options),
  ]
}

const listRoles = (options: RoleRoutesOptions) =>
  defineRoute({
    ...read,
    name: 'admin:roles.list',
    method: 'GET',
    path: '/admin/roles',
    summary: 'List roles',
    response: Type.Array(roleSchema),
    handler: async () => presentRoles(options, await options.roles.list()),
  })

const readRole = (options: RoleRoutesOptions) =>
  defineRoute({
    ...read,
    name: 'admin:roles.read',
    method: 'GET',
    path: '/admin/roles/:id',
    summary: 'One role',
    params: idParams,
    response: roleSchema,
    async handler({ params }) {
      const role = await options.roles.find(params.id)
      if (role === undefined) throw AppError.notFound('role')
      return presentOne(options, role)
    },
  })

const createRole = (options: RoleRoutesOptions) =>
  defineRoute({
    ...write,
    name: 'admin:roles.create',
    method: 'POST',
    path: '/admin/roles',
    summary: 'Create a custom role',
    body: newRoleBody,
    response: roleSchema,
    successStatus: 201,
    furtherProblems: permissionProblems(options),
    async handler({ body, principal }) {
      const permissions = permissionsOf(body.permissions)
      checkPermissions(options, permissions, principal)
      const { name, description = '' } = body
      const role = await options.roles.create({ name, description, permissions })
      return created(await presentOne(options, role))
    },
  })

const updateRole = (options: RoleRoutesOptions) =>
  defineRoute({
    ...write,
    name: 'admin:roles.update',
    method: 'PUT',
    path: '/admin/roles/:id',
    summary: 'Change a role',
    description: 'Permissions are replaced as a whole. Only a super-admin may change the role `admin`.',
    params: idParams,
    body: roleChangeBody,
    response: roleSchema,
    furtherProblems: permissionProblems(options),
    async handler({ params, body, principal }) {
      const permissions = body.permissions && permissionsOf(body.permissions)
      if (permissions !== undefined) checkPermissions(options, permissions, principal)
      const role = await options.roles.update(params.id, (before) => {
        const { name = before.name, description = before.description } = body
        assertNotFixed(before, name, principal)
        return { name, description, permissions: permissions ?? before.permissions }
      })
      return presentOne(options, role)
    },
  })

const deleteRole = ({ roles }: RoleRoutesOptions) =>
  defineRoute({
    ...write,
    name: 'admin:roles.delete',
    method: 'DELETE',
    path: '/admin/roles/:id',
    summary: 'Delete a custom role that nobody has',
    params: idParams,
    response: Type.Object({ id: Type.Integer() }, strict),
    async handler({ params }) {
      const { id } = await roles.remove(params.id)
      return { id }
    },
  })

async function presentRoles({ types, adminUsers, contentUsers }: RoleRoutesOptions, all: readonly Role[]) {
  const [admins, users] = await Promise.all([adminUsers.countByRole(), contentUsers.countByRole()])
  const holdersOf: HoldersOf = (role) => ({
    adminUsers: admins.get(role) ?? 0,
    contentUsers: users.get(role) ?? 0,
  })
  return all.map((role) => presentRole(role, types, holdersOf))
}

async function presentOne(options: RoleRoutesOptions, role: Role) {
  return (await presentRoles(options, [role]))[0]
}

/** The problems of the permissions in a body that was refused for something else. */
const permissionProblems =
  ({ types }: RoleRoutesOptions) =>
  ({ body }: { readonly body: Partial<Static<typeof roleChangeBody>> }) =>
    typeProblems(permissionsOf(body.permissions), types)

/** @throws AppError 400, 403 */
export function checkPermissions(
  { auth, types }: Pick<RoleRoutesOptions, 'auth' | 'types'>,
  permissions: Permissions,
  by: Principal,
): void {
  assertValid(typeProblems(permissions, types))
  if (mayHandOut(auth, by, permissions)) return
  throw AppError.forbidden('a role may not be given more than you may do yourself')
}

/** @throws AppError 403, 409 */
export function assertNotFixed({ name, type }: Role, newName: string, by: Principal): void {
  if (name === superAdmin) throw new AppError('RESTRICTED', `${superAdmin} cannot be restricted or changed`)
  if (type === 'built-in' && newName !== name) {
    throw new AppError('RESTRICTED', `${name} is built in and keeps its name`)
  }
  if (isReservedForSuperAdmin(name) && !isSuperAdmin(by)) refuse(by)
}
