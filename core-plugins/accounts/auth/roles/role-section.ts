import { type Static, Type } from 'typebox'
import { strict } from '../../../foundation/http/http.ts'
import {
  type ItemToPut,
  type ListedItem,
  listedSection,
  oncePerTransaction,
  scopedRights,
  type TransferSection,
} from '../../../foundation/sections/sections.ts'
import { descriptionSchema } from '../accounts/account-payloads.ts'
import type { Auth, Permissions } from '../auth-service.ts'
import type { Role } from '../tables.ts'
import { isSuperAdmin, mayHandOut } from './authorization.ts'
import { isReservedForSuperAdmin, superAdmin } from './built-in-roles.ts'
import { namePattern, permissionsBody, permissionsOf } from './role-payloads.ts'
import { assertNotFixed, checkPermissions } from './role-routes.ts'
import type { Roles } from './roles.ts'

const valueSchema = Type.Object({ description: descriptionSchema, permissions: permissionsBody }, strict)

export interface RoleSectionDeps {
  readonly auth: Auth
  readonly roles: Roles
  /** Names of the declared content types. */
  readonly types: ReadonlySet<string>
}

/**
 * The roles in transfers, by name. Accounts with a role stay in each environment, and importers grant only permissions that
 * they have.
 */
export function roleSection({ auth, roles, types }: RoleSectionDeps): TransferSection {
  // A package names each role once, so written roles are not looked up again.
  const present = oncePerTransaction(
    async (tx) => new Map((await roles.list(tx)).map((role) => [role.name, role])),
  )
  return listedSection({
    name: 'roles',
    ...scopedRights(auth, 'admin:roles'),
    valueSchema,
    keyPattern: new RegExp(`^(?=.{1,100}$)${namePattern.slice(1)}`, 'u'),
    list: async (tx) => (await roles.list(tx)).filter(({ name }) => name !== superAdmin).map(itemOf),
    *missingRights(principal, { key, value }) {
      if (isReservedForSuperAdmin(key) && !isSuperAdmin(principal)) yield `the role ${superAdmin} for ${key}`
      const permissions = permissionsOf(roleIn(value)?.permissions)
      if (!mayHandOut(auth, principal, permissions)) yield `every right that ${key} gets`
    },
    async put(items, { principal, tx }) {
      const here = await present(tx)
      for (const { key: name, value } of items) {
        const { description, permissions: given } = roleIn(value) as RoleValue
        const content = { name, description, permissions: permissionsOf(given) }
        checkPermissions({ auth, types }, content.permissions, principal)
        const role = here.get(name)
        if (role !== undefined) assertNotFixed(role, name, principal)
        if (role === undefined) await roles.create(content, tx)
        else await roles.update(role.id, () => content, tx)
      }
    },
    async remove(keys, { tx }) {
      const here = await present(tx)
      for (const { id } of keys.flatMap((key) => here.get(key) ?? [])) await roles.remove(id, tx)
    },
  })
}

type RoleValue = Static<typeof valueSchema>

const roleIn = (value: ItemToPut['value'] | undefined) => value as RoleValue | undefined

/** Permissions that are not granted are left out, so that equal roles look the same. */
function itemOf({ name, description, permissions, updatedAt }: Role): ListedItem {
  const { content, media } = permissions
  const ofTypes = Object.entries(content).map(([type, actions]) => [type, granted(actions)])
  const value = {
    description,
    permissions: { content: Object.fromEntries(ofTypes), media: granted(media) } satisfies Permissions,
  }
  return { key: name, label: description, value, changedAt: updatedAt }
}

function granted<Action extends string>(actions: Readonly<Partial<Record<Action, boolean>>>) {
  return Object.fromEntries(Object.entries(actions).filter(([, isGranted]) => isGranted === true))
}
