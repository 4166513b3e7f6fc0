import { Type } from 'typebox'
import {
  created,
  defineRoute,
  ignored,
  presenterOf,
  type Route,
  strict,
} from '../../../foundation/http/http.ts'
import type { AccountInput } from './account-input.ts'
import { accountShape, emailSchema, passwordSchema, usernameSchema } from './account-payloads.ts'
import { createAccountRoutes } from './account-routes.ts'
import type { AccountSystem } from './account-system.ts'
import { type Account, noPassword } from './accounts.ts'

/** An admin user in responses. */
export const adminUserSchema = Type.Object(
  {
    ...accountShape,
    mustChangePassword: Type.Boolean(),
    invited: Type.Boolean({ description: 'Has not set a password yet' }),
  },
  strict,
)

const present = presenterOf(adminUserSchema)

/** See `adminUserSchema`. */
export function presentAdminUser(account: Account) {
  const mustChangePassword = account.mustChangePassword === true
  return present({ ...account, mustChangePassword, invited: account.passwordHash === noPassword })
}

const roleSchema = Type.String({ minLength: 1, maxLength: 255 })

/** The payload of a new admin user. */
export const newAdminUserBody = Type.Object(
  { email: emailSchema, username: usernameSchema, password: passwordSchema, role: roleSchema },
  strict,
)

/** Registration, and the management of admin users; specification, "Admin authentication". */
export function createAdminUserRoutes(system: AccountSystem): Route[] {
  const register = defineRoute({
    name: 'admin:auth.register',
    audit: 'user.create',
    method: 'POST',
    path: '/admin/auth/register',
    summary: 'Create an admin user',
    description: 'Only a super-admin may do this.',
    tag: 'Admin authentication',
    access: 'super-admin',
    body: newAdminUserBody,
    response: adminUserSchema,
    successStatus: 201,
    furtherProblems: ({ body, principal }) => system.changes.problemsOf(body, principal),
    handler: async ({ body, principal }) =>
      created(
        presentAdminUser(
          await system.changes.create({ ...body, extra: { mustChangePassword: false } }, principal),
        ),
      ),
  })
  const others = createAccountRoutes({
    system,
    name: 'admin:users',
    path: '/admin/users',
    tag: 'Admin users',
    noun: 'admin user',
    changeBody: Type.Object(
      {
        email: Type.Optional(emailSchema),
        username: Type.Optional(usernameSchema),
        password: Type.Optional(passwordSchema),
        role: Type.Optional(roleSchema),
        blocked: Type.Optional(Type.Boolean()),
        ...ignored('id', 'mustChangePassword', 'invited', 'created_at', 'updated_at'),
      },
      strict,
    ),
    toInput,
  })
  return [register, ...others]
}

function toInput(payload: Readonly<Record<string, unknown>>): Partial<AccountInput> {
  const { id, mustChangePassword, invited, created_at, updated_at, ...input } = payload
  return input
}
