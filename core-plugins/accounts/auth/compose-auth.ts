import type { InitContext } from '../../../kernel/index.ts'
import type { Alerts } from '../../background/alerts/alerts.ts'
import type { Config } from '../../foundation/config/config.ts'
import { type Database, type SchemaRecord, tables } from '../../foundation/database/database.ts'
import {
  type Authenticator,
  anyScope,
  environmentName,
  type Policy,
  type Route,
  routes,
} from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { TransferSection } from '../../foundation/sections/sections.ts'
import { createAccountChanges } from './accounts/account-changes.ts'
import { canHave, createAccountChecks } from './accounts/account-checks.ts'
import type { AccountSystem } from './accounts/account-system.ts'
import { accountWrites } from './accounts/account-writes.ts'
import type { Accounts } from './accounts/accounts.ts'
import { createAdminRecovery } from './accounts/admin-recovery.ts'
import type { AdminRecovery } from './accounts/admin-recovery-service.ts'
import { adminUserSchema, presentAdminUser } from './accounts/admin-users.ts'
import { contentUserViews } from './accounts/content-users.ts'
import { ensureFirstAdmin } from './accounts/first-admin.ts'
import { readUserAttributes, type UserAttributes } from './accounts/user-attributes.ts'
import type { Auth } from './auth-service.ts'
import { createAuthenticator } from './authenticator.ts'
import { createPasswordHasher, type PasswordHasher } from './passwords/password-hash.ts'
import { createPasswordLinks } from './passwords/password-links.ts'
import { createPasswordRules } from './passwords/password-rules.ts'
import type { PasswordTokens } from './passwords/password-tokens.ts'
import { createAuth } from './roles/authorization.ts'
import { createPolicies } from './roles/policies.ts'
import { createRankRule, type MayChangeAccount } from './roles/rank.ts'
import { roleSection } from './roles/role-section.ts'
import { createAuthRoutes } from './routes.ts'
import { readSecrets } from './secrets.ts'
import { createSessionEvents } from './sessions/session-events.ts'
import { type AccountKind, createSessionTokens } from './sessions/session-tokens.ts'
import { areCookiesSecure, sessionLifetimeSeconds } from './settings.ts'
import { createContentUserSignIn } from './sign-in/content-user-sign-in.ts'
import type { ContentUserSignIn } from './sign-in/content-user-sign-in-service.ts'
import { createKnownDevices } from './sign-in/known-devices.ts'
import { createLoginRate } from './sign-in/login-rate.ts'
import { createSignIn } from './sign-in/sign-in.ts'
import { createStores, removeExpired, type Stores } from './stores.ts'
import { createExpiryWarnings, type ExpiryWarnings } from './tokens/expiry-warnings.ts'
import { createMakers } from './tokens/makers.ts'
import { standardScopes } from './tokens/scopes.ts'

export type AuthContext = InitContext<{
  readonly alerts: Alerts | undefined
  readonly config: Config
  readonly database: Database
  readonly schemaRecord: SchemaRecord
  readonly schemas: Schemas
}>

/** The assembled parts of the plugin. */
export interface AuthParts {
  readonly auth: Auth
  readonly contentUserSignIn: ContentUserSignIn
  readonly adminRecovery: AdminRecovery
  readonly authenticator: Authenticator
  readonly expiryWarnings: ExpiryWarnings
  readonly policies: readonly Policy[]
  readonly routes: readonly Route[]
  /** The roles in transfers. */
  readonly roleSection: TransferSection
  /** Creates missing built-in roles and the first admin, and loads the caches. */
  start(): Promise<void>
  /** Deletes expired rows, and completes the appearances of usernames. */
  maintain(): Promise<void>
}

/** Assembles the parts; runs no query before `start`. */
export function composeAuth(context: AuthContext): AuthParts {
  const { config } = context.services
  const secrets = readSecrets(config)
  const sessions = createSessionTokens(secrets.sessions, sessionLifetimeSeconds(config))
  const attributes = userAttributesOf(context)
  const stores = storesOf(context, attributes, secrets.passwordResets)
  const hasher = createPasswordHasher({ isTest: config.get(environmentName) === 'test' })
  const makers = createMakers({ ...stores, sessions })
  const authorization = createAuth(stores.roles.permissionsOf)
  const mayChange = createRankRule(authorization, stores.roles)
  const { state, revoked, apiTokens, adminUsers, adminSessions, contentUsers, attempts } = stores
  const authenticator = createAuthenticator({
    ...{ state, sessions, revoked, apiTokens, adminSessions, makers, log: context.log },
    accounts: { admin: adminUsers, user: contentUsers },
  })
  const auth: Auth = {
    ...authorization,
    makers,
    principalOf: authenticator.principalOf,
    freshen: () => state.freshen(),
    onRolesChange: (listener) => state.onChange('roles', listener),
    mayGiveRole: (principal, role) =>
      canHave('user', role, stores.roles) && mayChange(principal, undefined, { newRole: role }),
    async contentUsersReplaced(tx) {
      await stores.contentUsers.revokeAll(tx)
      await stores.contentUsers.looks.forget(tx)
      await stores.state.changeWithin('sessions', tx)
    },
    keyFor: secrets.keyFor,
  }
  const systems = createSystems({ context, stores, hasher, mayChange, attributes })
  const rate = createLoginRate(config)
  const links = createPasswordLinks(config, context)
  const signIn = createSignIn({
    ...{ attempts, hasher, rate },
    devices: createKnownDevices(secrets.knownDevices, areCookiesSecure(config)),
  })
  const events = createSessionEvents('user', context)
  const expiryWarnings = createExpiryWarnings({ apiTokens, config, alerts: context.services.alerts })

  const types = new Set(context.services.schemas.types.keys())

  return {
    auth,
    roleSection: roleSection({ auth, roles: stores.roles, types }),
    adminRecovery: createAdminRecovery({ system: systems.admin, attempts }),
    contentUserSignIn: createContentUserSignIn({
      ...{ config, sessions, signIn, events, state, attributes },
      system: systems.user,
    }),
    authenticator,
    expiryWarnings,
    policies: createPolicies(auth),
    routes: createAuthRoutes({
      database: context.services.database,
      ...{ context, config, stores, sessions, systems, signIn, rate, links, auth, attributes },
      expiryWarnings,
      types,
      scopes: () => knownScopes(context.contributions(routes)),
    }),
    async start() {
      await stores.roles.seed()
      await state.start()
      await ensureFirstAdmin({ accounts: adminUsers, hasher, config, announce: printLine })
    },
    async maintain() {
      await removeExpired(stores)
      for (const { looks } of [adminUsers, contentUsers]) await looks.complete()
    },
  }
}

interface SystemsOptions {
  readonly context: AuthContext
  readonly stores: Stores
  readonly hasher: PasswordHasher
  readonly mayChange: MayChangeAccount
  readonly attributes: UserAttributes
}

/** The two account systems, by kind. */
export interface Systems {
  readonly admin: AccountSystem
  readonly user: AccountSystem
}

function createSystems({ context, stores, hasher, mayChange, attributes }: SystemsOptions): Systems {
  const { config, database, schemaRecord } = context.services
  const { state, roles, adminUsers, contentUsers } = stores
  const checkPassword = createPasswordRules(config)
  const changesOf = (kind: AccountKind, accounts: Accounts, sent: readonly PasswordTokens[]) => {
    const checks = createAccountChecks({ kind, roles, checkPassword, mayChange })
    return createAccountChanges({
      ...{ kind, accounts, checks, database, state, roles, hasher, checkPassword, schemaRecord },
      async revokeSentTokens(id, tx) {
        for (const tokens of sent) await tokens.revoke(id, tx)
      },
      async written(write, tx) {
        for (const listen of context.contributions(accountWrites)) await listen(write, tx)
      },
    })
  }
  const adminView = { schema: adminUserSchema, present: presentAdminUser }
  return {
    admin: {
      kind: 'admin',
      accounts: adminUsers,
      changes: changesOf('admin', adminUsers, [stores.adminResets, stores.invitations]),
      own: adminView,
      managed: adminView,
    },
    user: {
      kind: 'user',
      accounts: contentUsers,
      changes: changesOf('user', contentUsers, [stores.resets]),
      ...contentUserViews(attributes),
    },
  }
}

function storesOf({ services }: AuthContext, contentUsers: UserAttributes, resetSecret: string): Stores {
  const { config, database, schemas } = services
  const types = [...schemas.types.keys()]
  return createStores({
    ...{ config, database, types, contentUsers, resetSecret },
  })
}

function userAttributesOf({ services, contributions }: AuthContext): UserAttributes {
  const userType = services.schemas.allTypes.get('user')
  const table = contributions(tables).find(({ name }) => name === userType?.table)
  if (userType === undefined || table === undefined) {
    throw new Error('the schemas plugin declares no system type user, or no table for it')
  }
  return readUserAttributes(userType, table)
}

/** The scopes of all routes, since plugins may define their own. */
function knownScopes(all: readonly Route[]): ReadonlySet<string> {
  const required = all.flatMap(({ scope }) => scope ?? []).filter((scope) => scope !== anyScope)
  return new Set([...standardScopes, ...required])
}

// Not through the log, whose level may hide it: the password would be lost.
function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
