import { type Static, Type } from 'typebox'
import {
  AppError,
  created,
  defineRoute,
  expectValid,
  idParams,
  type Principal,
  type Route,
  strict,
} from '../http/http.ts'
import type { Auth, Permissions } from './auth.ts'
import { isReservedForSuperAdmin, superAdmin } from './built-in-roles.ts'
import { isSuperAdmin, mayHandOut, refuse } from './judge.ts'
import {
  newRoleBody,
  permissionsOf,
  presentRole,
  roleChangeBody,
  roleSchema,
  typeProblems,
} from './role-payloads.ts'
import type { Role, Roles } from './roles.ts'

const read = { tag: 'Roles', access: 'area', scope: 'admin:roles:read' } as const
const write = { tag: 'Roles', access: 'area', scope: 'admin:roles:write' } as const

/** Specification, "Roles and API tokens"; decisions.md, 5. */
export function createRoleRoutes(roles: Roles, auth: Auth, types: ReadonlySet<string>): Route[] {
  function check(permissions: Permissions, by: Principal): void {
    expectValid(typeProblems(permissions, types))
    if (!mayHandOut(auth, by, permissions)) {
      throw AppError.forbidden('a role may not be given more than you may do yourself')
    }
  }

  const judgeRefused = ({ body }: { readonly body: Partial<Static<typeof roleChangeBody>> }) =>
    typeProblems(permissionsOf(body.permissions), types)

  return [
    defineRoute({
      ...read,
      name: 'admin:roles.list',
      method: 'GET',
      path: '/admin/roles',
      summary: 'List roles',
      response: Type.Array(roleSchema),
      handler: async () => (await roles.list()).map((role) => presentRole(role, types)),
    }),
    defineRoute({
      ...read,
      name: 'admin:roles.read',
      method: 'GET',
      path: '/admin/roles/:id',
      summary: 'One role',
      params: idParams,
      response: roleSchema,
      async handler({ params }) {
        const role = await roles.find(params.id)
        if (role === undefined) throw AppError.notFound('role')
        return presentRole(role, types)
      },
    }),
    defineRoute({
      ...write,
      name: 'admin:roles.create',
      method: 'POST',
      path: '/admin/roles',
      summary: 'Create a custom role',
      body: newRoleBody,
      response: roleSchema,
      successStatus: 201,
      judgeRefused,
      async handler({ body, principal }) {
        const permissions = permissionsOf(body.permissions)
        check(permissions, principal)
        const { name, description = '' } = body
        return created(presentRole(await roles.create({ name, description, permissions }), types))
      },
    }),
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
      judgeRefused,
      async handler({ params, body, principal }) {
        const permissions = body.permissions && permissionsOf(body.permissions)
        if (permissions !== undefined) check(permissions, principal)
        const role = await roles.update(params.id, (before) => {
          const { name = before.name, description = before.description } = body
          refuseFixed(before, name, principal)
          return { name, description, permissions: permissions ?? before.permissions }
        })
        return presentRole(role, types)
      },
    }),
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
    }),
  ]
}

function refuseFixed({ name, type }: Role, newName: string, by: Principal): void {
  if (name === superAdmin) throw new AppError('RESTRICTED', `${superAdmin} cannot be restricted or changed`)
  if (type === 'built-in' && newName !== name) {
    throw new AppError('RESTRICTED', `${name} is built in and keeps its name`)
  }
  if (isReservedForSuperAdmin(name) && !isSuperAdmin(by)) refuse(by)
}
