import type { PluginContext } from '../../../../kernel/index.ts'
import type { Config } from '../../../foundation/config/config.ts'
import { AppError, type Route } from '../../../foundation/http/http.ts'
import type { AccountSystem } from '../accounts/account-system.ts'
import { createSessionEvents } from '../sessions/session-events.ts'
import type { AccountKind } from '../sessions/session-tokens.ts'
import type { LoginRate } from '../sign-in/login-rate.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { Stores } from '../stores.ts'
import { createForgotPasswordRoute } from './forgot-password-route.ts'
import type { PasswordLinks } from './password-links.ts'
import { passwordReset, passwordResetDelivery } from './password-reset-delivery.ts'
import { createPasswordTokenRoute } from './password-token-route.ts'

export interface PasswordRoutesOptions {
  readonly context: Pick<PluginContext, 'contributions' | 'emit' | 'log'>
  readonly config: Config
  readonly stores: Stores
  readonly systems: Readonly<Record<AccountKind, AccountSystem>>
  readonly signIn: SignIn
  readonly rate: LoginRate
  readonly links: PasswordLinks
}

/** The routes for users who have forgotten their password, or have none yet. */
export function createPasswordRoutes(options: PasswordRoutesOptions): Route[] {
  return [...contentUserRoutes(options), ...adminRoutes(options)]
}

/** Specification, "Content-user authentication". */
function contentUserRoutes({ context, config, stores, systems, signIn, rate }: PasswordRoutesOptions) {
  const common = { tag: 'Content-user authentication', system: systems.user, tokens: stores.resets }
  return [
    createForgotPasswordRoute({
      ...common,
      name: 'auth:password.forgot',
      path: '/auth/forgot-password',
      ...{ attempts: stores.attempts, rate, log: context.log },
      answersToken: config.environment !== 'production',
      async deliver(tx, reset) {
        for (const deliver of context.contributions(passwordResetDelivery)) await deliver(tx, reset)
      },
      onIssued: ({ id, email, username }, token) =>
        void context.emit(passwordReset, { userId: id, email, username, token }),
    }),
    createPasswordTokenRoute({
      ...{ ...common, signIn },
      name: 'auth:password.reset',
      path: '/auth/reset-password',
      summary: 'Set a new password with a reset token',
      onSet: createSessionEvents('user', context).passwordChanged,
    }),
  ]
}

function adminRoutes({ context, stores, systems, signIn, rate, links }: PasswordRoutesOptions) {
  const common = { tag: 'Admin authentication', system: systems.admin, signIn }
  const events = createSessionEvents('admin', context)
  return [
    createForgotPasswordRoute({
      ...common,
      name: 'admin:auth.forgot-password',
      path: '/admin/auth/forgot-password',
      tokens: stores.adminResets,
      ...{ attempts: stores.attempts, rate, log: context.log },
      // Not even in development, or anybody who can reach the service could become an administrator.
      answersToken: false,
      deliver: (tx, reset) => links.mail('reset', reset, tx),
      assertDeliverable() {
        if (!links.canMail) throw new AppError('CONFLICT', 'mail is not set up; ask another administrator')
      },
      onIssued: (account, _token, ip) => events.passwordForgotten(account, ip),
    }),
    createPasswordTokenRoute({
      ...common,
      name: 'admin:auth.reset-password',
      path: '/admin/auth/reset-password',
      summary: 'Set a new password with the token of a mailed link',
      tokens: stores.adminResets,
      onSet: events.passwordChanged,
    }),
    createPasswordTokenRoute({
      ...common,
      name: 'admin:auth.accept-invitation',
      path: '/admin/auth/accept-invitation',
      summary: 'Set the first password with the token of an invitation',
      tokens: stores.invitations,
      onSet: events.invitationAccepted,
    }),
  ]
}
