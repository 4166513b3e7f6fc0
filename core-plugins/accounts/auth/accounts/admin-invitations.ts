import { type Static, Type } from 'typebox'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import {
  AppError,
  created,
  defineRoute,
  idParams,
  orNull,
  type Route,
  strict,
  timestampSchema,
} from '../../../foundation/http/http.ts'
import type { PasswordLinks } from '../passwords/password-links.ts'
import type { PasswordTokens } from '../passwords/password-tokens.ts'
import type { AccountSystem } from './account-system.ts'
import { type Account, noPassword } from './accounts.ts'
import { adminUserSchema, newAdminUserBody, presentAdminUser } from './admin-users.ts'

export interface InvitationRoutesOptions {
  readonly database: Database
  readonly system: AccountSystem
  readonly invitations: PasswordTokens
  readonly links: PasswordLinks
}

const tag = 'Admin users'

const invitationSchema = Type.Object(
  {
    expires_at: timestampSchema,
    link: orNull(Type.String(), {
      description:
        'Only where mail is not set up: hand it over yourself. It is shown this once; a path, if the address ' +
        'of the panel is not configured',
    }),
  },
  strict,
)
type Invitation = Static<typeof invitationSchema>

/** An admin user with the invitation that was sent. */
export const invitedUserSchema = Type.Object(
  { ...adminUserSchema.properties, invitation: invitationSchema },
  strict,
)
const { password: _, ...invitedPerson } = newAdminUserBody.properties

/** Routes to create admin users who choose their own password. */
export function createInvitationRoutes(options: InvitationRoutesOptions): Route[] {
  return [invite(options), inviteAgain(options)]
}

const invite = (options: InvitationRoutesOptions) =>
  defineRoute({
    name: 'admin:users.invite',
    audit: 'user.invite',
    method: 'POST',
    path: '/admin/users/invitations',
    summary: 'Invite an admin user',
    description:
      'Only a super-admin may do this. The account has no password until the person invited sets one, with ' +
      'the link that is mailed, or answered where mail is not set up. The link works once, for seven days.',
    tag,
    access: 'super-admin',
    body: Type.Object(invitedPerson, strict),
    response: invitedUserSchema,
    successStatus: 201,
    furtherProblems: ({ body, principal }) => options.system.changes.problemsOf(body, principal),
    async handler({ body, principal }) {
      let invitation: Invitation | undefined
      const input = { ...body, extra: { mustChangePassword: false } }
      const account = await options.system.changes.create(input, principal, {
        async within(account, tx) {
          invitation = await send(options, account, tx)
        },
      })
      return created({ ...presentAdminUser(account), invitation })
    },
  })

const inviteAgain = (options: InvitationRoutesOptions) =>
  defineRoute({
    name: 'admin:users.invite-again',
    audit: 'user.invite',
    method: 'POST',
    path: '/admin/users/:id/invitation',
    summary: 'Send an invitation once more',
    description: 'Links that were sent before are void. Not for accounts that have a password (409).',
    tag,
    access: 'super-admin',
    params: idParams,
    response: invitedUserSchema,
    handler: ({ params }) =>
      options.database.transaction(async (tx) => {
        const account = await options.system.accounts.lock(params.id, tx)
        if (account === undefined) throw AppError.notFound('admin user')
        if (account.passwordHash !== noPassword) {
          throw new AppError('CONFLICT', 'this admin user has a password already')
        }
        return { ...presentAdminUser(account), invitation: await send(options, account, tx) }
      }),
  })

/** The inviting user sees the link only if it cannot be mailed. */
async function send(
  { invitations, links }: InvitationRoutesOptions,
  account: Account,
  tx: Transaction,
): Promise<Invitation> {
  const reset = await invitations.reissue(account, tx)
  const isMailed = links.canMail
  if (isMailed) await links.mail('invitation', reset, tx)
  return { expires_at: reset.expiresAt, link: isMailed ? null : links.linkOf('invitation', reset) }
}
