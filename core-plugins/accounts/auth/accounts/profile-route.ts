import { type Static, Type } from 'typebox'
import {
  assertValid,
  defineRoute,
  type ErrorDetail,
  type Route,
  strict,
} from '../../../foundation/http/http.ts'
import { operator } from '../operator.ts'
import { ownAccount, wrongPassword } from '../sessions/session-routes.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { emailSchema, maxCredentialBytes, passwordSchema, usernameSchema } from './account-payloads.ts'
import type { AccountSystem } from './account-system.ts'
import { type Account, normalizeEmail } from './accounts.ts'

const body = Type.Object(
  {
    username: Type.Optional(usernameSchema),
    email: Type.Optional(emailSchema),
    currentPassword: Type.Optional(passwordSchema),
  },
  strict,
)
type Profile = Partial<Static<typeof body>>

/** The route on which admin users change their own name and address. */
export const createProfileRoute = (system: AccountSystem, signIn: SignIn): Route =>
  defineRoute({
    name: 'admin:auth.update-me',
    audit: 'user.profile',
    method: 'PUT',
    path: '/admin/auth/me',
    summary: 'Change the own username or e-mail address',
    description:
      'A new address takes `currentPassword`, since links for a new password are mailed to it; those that ' +
      'were mailed to the former one are void.',
    tag: 'Admin authentication',
    access: 'admin-user',
    body,
    maxBodyBytes: maxCredentialBytes,
    response: system.own.schema,
    furtherProblems: async (request) => missingPassword(await ownAccount(request, system), request.body),
    async handler(request) {
      const account = await ownAccount(request, system)
      const { currentPassword, ...names } = request.body
      assertValid(missingPassword(account, request.body))
      const isConfirmed =
        currentPassword === undefined || (await signIn.confirm(system, account, currentPassword))
      assertValid(isConfirmed ? [] : [wrongPassword])
      // Passed as the operator, since permissions have been checked: callers change their own account, and its role stays.
      return system.own.present(await system.changes.update(account.id, names, operator))
    },
  })

function missingPassword(account: Account, { email, currentPassword }: Profile): ErrorDetail[] {
  const isMoved = email !== undefined && normalizeEmail(email) !== account.email
  if (!isMoved || currentPassword !== undefined) return []
  return [{ path: 'currentPassword', code: 'required', message: 'is needed for a new address' }]
}
