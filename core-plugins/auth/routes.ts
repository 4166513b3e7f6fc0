import type { PluginContext } from '../../kernel/index.ts'
import type { Config } from '../config/config.ts'
import type { Route } from '../http/http.ts'
import type { AccountSystem } from './account-system.ts'
import { createAdminUserRoutes } from './admin-users.ts'
import { createApiTokenRoutes } from './api-token-routes.ts'
import type { Auth } from './auth-service.ts'
import { createContentUserRoutes } from './content-users.ts'
import { passwordReset, passwordResetDelivery } from './password-reset-delivery.ts'
import { createPasswordResetRoutes } from './password-reset-routes.ts'
import { createRoleRoutes } from './role-routes.ts'
import { createSessionCookie } from './session-cookie.ts'
import { createSessionEvents } from './session-events.ts'
import { createSessionRoutes } from './session-routes.ts'
import type { AccountKind, SessionTokens } from './session-tokens.ts'
import type { SignIn } from './sign-in.ts'
import type { Stores } from './stores.ts'
import type { UserAttributes } from './user-attributes.ts'

export interface AuthRoutesOptions {
  readonly context: Pick<PluginContext, 'contributions' | 'emit' | 'log'>
  readonly config: Config
  readonly stores: Stores
  readonly sessions: SessionTokens
  readonly systems: Readonly<Record<AccountKind, AccountSystem>>
  readonly signIn: SignIn
  readonly auth: Auth
  readonly attributes: UserAttributes
  /** Names of the declared content types. */
  readonly types: ReadonlySet<string>
  /** All existing scopes, once all routes are known. */
  scopes(): ReadonlySet<string>
}

/** All endpoints of the plugin. */
export function createAuthRoutes(options: AuthRoutesOptions): Route[] {
  const { config, stores, systems, auth, attributes, types, scopes } = options
  return [
    ...sessionRoutes(options),
    ...createAdminUserRoutes(systems.admin),
    ...createContentUserRoutes(systems.user, attributes, config),
    ...createRoleRoutes({ roles: stores.roles, auth, types }),
    ...createApiTokenRoutes({ apiTokens: stores.apiTokens, auth, scopes }),
  ]
}

function sessionRoutes({ context, config, stores, sessions, systems, signIn }: AuthRoutesOptions): Route[] {
  const isProduction = config.environment === 'production'
  const cookie = createSessionCookie(sessions.lifetimeSeconds, isProduction)
  const { revoked, attempts, resets } = stores
  const shared = { sessions, revoked, signIn }
  const userEvents = createSessionEvents('user', context)
  return [
    ...createSessionRoutes({
      ...shared,
      system: systems.admin,
      events: createSessionEvents('admin', context),
      name: 'admin:auth',
      path: '/admin/auth',
      tag: 'Admin authentication',
      access: 'admin-user',
      sessionCookies: (token) => [token === undefined ? cookie.clear() : cookie.set(token)],
    }),
    ...createSessionRoutes({
      ...shared,
      system: systems.user,
      events: userEvents,
      name: 'auth:session',
      path: '/auth',
      tag: 'Content-user authentication',
      access: 'user',
      sessionCookies: () => [],
    }),
    ...createPasswordResetRoutes({
      system: systems.user,
      ...{ resets, attempts, signIn, log: context.log },
      answersToken: !isProduction,
      async deliver(tx, reset) {
        for (const deliver of context.contributions(passwordResetDelivery)) await deliver(tx, reset)
      },
      onIssued: ({ id, email, username }, token) =>
        void context.emit(passwordReset, { userId: id, email, username, token }),
      onReset: userEvents.passwordChanged,
    }),
  ]
}
