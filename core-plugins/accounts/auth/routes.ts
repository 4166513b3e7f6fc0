import type { PluginContext } from '../../../kernel/index.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Route } from '../../foundation/http/http.ts'
import type { AccountSystem } from './accounts/account-system.ts'
import { createInvitationRoutes } from './accounts/admin-invitations.ts'
import { createAdminUserRoutes } from './accounts/admin-users.ts'
import { createContentUserRoutes } from './accounts/content-users.ts'
import { createPeopleRoutes } from './accounts/people-routes.ts'
import { createProfileRoute } from './accounts/profile-route.ts'
import { createOwnerNotice } from './accounts/taken-address-mail.ts'
import type { UserAttributes } from './accounts/user-attributes.ts'
import type { Auth } from './auth-service.ts'
import type { PasswordLinks } from './passwords/password-links.ts'
import { createPasswordRoutes } from './passwords/password-routes.ts'
import { createRoleRoutes } from './roles/role-routes.ts'
import { type AdminSessionRoutesOptions, createAdminSessionRoutes } from './sessions/admin-session-routes.ts'
import { createSessionCookie } from './sessions/session-cookie.ts'
import { createSessionEvents } from './sessions/session-events.ts'
import { createSessionRoutes } from './sessions/session-routes.ts'
import type { AccountKind, SessionTokens } from './sessions/session-tokens.ts'
import { areCookiesSecure, tokenLifetimeDays } from './settings.ts'
import type { LoginRate } from './sign-in/login-rate.ts'
import { createRegistrationRate } from './sign-in/registration-rate.ts'
import type { SignIn } from './sign-in/sign-in.ts'
import type { Stores } from './stores.ts'
import { createApiTokenRoutes } from './tokens/api-token-routes.ts'
import type { ExpiryWarnings } from './tokens/expiry-warnings.ts'
import { createPanelTokenRoute } from './tokens/panel-token-route.ts'

export interface AuthRoutesOptions {
  readonly context: Pick<PluginContext, 'contributions' | 'emit' | 'log'>
  readonly config: Config
  readonly database: Database
  readonly stores: Stores
  readonly sessions: SessionTokens
  readonly systems: Readonly<Record<AccountKind, AccountSystem>>
  readonly signIn: SignIn
  readonly rate: LoginRate
  readonly links: PasswordLinks
  readonly auth: Auth
  readonly attributes: UserAttributes
  readonly expiryWarnings: ExpiryWarnings
  /** Names of the declared content types. */
  readonly types: ReadonlySet<string>
  /** All existing scopes, once all routes are known. */
  scopes(): ReadonlySet<string>
}

/** All endpoints of the plugin. */
export function createAuthRoutes(options: AuthRoutesOptions): Route[] {
  const { config, database, stores, systems, auth, attributes, types, scopes } = options
  const { invitations } = stores
  return [
    ...sessionRoutes(options).map(notForAgents),
    ...createPasswordRoutes(options).map(notForAgents),
    ...createAdminUserRoutes(systems.admin),
    ...createInvitationRoutes({
      ...{ database, system: systems.admin, invitations, links: options.links },
    }).map(notForAgents),
    ...createPeopleRoutes(database),
    ...createContentUserRoutes(systems.user, attributes, {
      config,
      rate: createRegistrationRate(config),
      tellOwner: createOwnerNotice({
        ...stores,
        accounts: systems.user.accounts,
        database,
        context: options.context,
      }),
    }),
    ...createRoleRoutes({ ...stores, auth, types }),
    ...createApiTokenRoutes({
      ...{ apiTokens: stores.apiTokens, auth, scopes, types },
      lifetimeDays: () => config.get(tokenLifetimeDays),
      endChanged: options.expiryWarnings.endChanged,
    }),
  ]
}

/** Such routes take or return credentials, which would remain in the context of an agent. */
function notForAgents(route: Route): Route {
  return { ...route, tool: false }
}

function sessionRoutes({ context, config, stores, sessions, systems, signIn }: AuthRoutesOptions): Route[] {
  const cookie = createSessionCookie(sessions.lifetimeSeconds, areCookiesSecure(config))
  const { revoked, adminSessions } = stores
  const shared = { sessions, revoked, signIn }
  const ofAdmins: AdminSessionRoutesOptions = {
    ...{ ...shared, adminSessions },
    system: systems.admin,
    events: createSessionEvents('admin', context),
    name: 'admin:auth',
    path: '/admin/auth',
    tag: 'Admin authentication',
    access: 'admin-user',
    sessionCookies: (token) => [token === undefined ? cookie.clear() : cookie.set(token)],
  }
  return [
    ...createSessionRoutes(ofAdmins),
    ...createAdminSessionRoutes(ofAdmins),
    createProfileRoute(systems.admin, signIn),
    createPanelTokenRoute(systems.admin, sessions),
    ...createSessionRoutes({
      ...shared,
      system: systems.user,
      events: createSessionEvents('user', context),
      name: 'auth:session',
      path: '/auth',
      tag: 'Content-user authentication',
      access: 'user',
      sessionCookies: () => [],
    }),
  ]
}
