import { createHmac } from 'node:crypto'
import type { Config } from '../../foundation/config/config.ts'
import type { Database } from '../../foundation/database/database.ts'
import { type Accounts, createAccounts } from './accounts/accounts.ts'
import type { UserAttributes } from './accounts/user-attributes.ts'
import { createPasswordTokens, type PasswordTokens } from './passwords/password-tokens.ts'
import { type AccessState, createAccessState } from './roles/access-state.ts'
import { createRoles, type Roles } from './roles/roles.ts'
import { type AdminSessions, createAdminSessions } from './sessions/admin-sessions.ts'
import { createRevokedTokens, type RevokedTokens } from './sessions/revoked-tokens.ts'
import { createLoginAttempts, type LoginAttempts } from './sign-in/login-attempts.ts'
import {
  adminInvitationsTable,
  adminPasswordResetsTable,
  adminUserColumns,
  adminUsersTable,
  passwordResetsTable,
} from './tables.ts'
import { type ApiTokens, createApiTokens } from './tokens/api-tokens.ts'

/** Everything that the plugin stores in the database. */
export interface Stores {
  readonly state: AccessState
  readonly adminUsers: Accounts
  readonly contentUsers: Accounts
  readonly roles: Roles
  readonly apiTokens: ApiTokens
  readonly revoked: RevokedTokens
  /** Tokens with which content users set a new password. */
  readonly resets: PasswordTokens
  readonly adminResets: PasswordTokens
  readonly invitations: PasswordTokens
  readonly adminSessions: AdminSessions
  readonly attempts: LoginAttempts
}

export interface StoresOptions {
  readonly database: Database
  readonly config: Config
  /** Names of the declared content types. */
  readonly types: readonly string[]
  readonly contentUsers: Pick<UserAttributes, 'table' | 'columns'>
  /** The key for the hashes of password reset tokens. */
  readonly resetSecret: string
}

/** Builds all statements; runs none. */
export function createStores({ database, config, types, ...options }: StoresOptions): Stores {
  const state = createAccessState(database)
  const adminUsers = createAccounts(database, adminUsersTable.name, adminUserColumns)
  const contentUsers = createAccounts(database, options.contentUsers.table, options.contentUsers.columns)
  return {
    state,
    adminUsers,
    contentUsers,
    roles: createRoles({ database, state, types, holders: [adminUsers, contentUsers] }),
    apiTokens: createApiTokens(database, state),
    revoked: createRevokedTokens(database, state),
    ...passwordTokens(database, { adminUsers, contentUsers, secret: options.resetSecret }),
    adminSessions: createAdminSessions(database),
    attempts: createLoginAttempts(database, config),
  }
}

/** Deletes expired rows, all of which would be refused anyway. */
export async function removeExpired(stores: Stores): Promise<void> {
  const { apiTokens, revoked, resets, adminResets, invitations, adminSessions, attempts } = stores
  const all = [apiTokens, revoked, resets, adminResets, invitations, adminSessions, attempts]
  for (const store of all) await store.removeExpired()
}

const hourMs = 60 * 60_000
const resetLifetimeMs = hourMs
/** Long enough for people who are away. */
const invitationLifetimeMs = 7 * 24 * hourMs

interface PasswordTokensOf {
  readonly adminUsers: Accounts
  readonly contentUsers: Accounts
  readonly secret: string
}

/** The tokens of each purpose, hashed with a key of its own. */
function passwordTokens(database: Database, { adminUsers, contentUsers, secret }: PasswordTokensOf) {
  const keyOf = (purpose: string) => createHmac('sha256', secret).update(purpose).digest('hex')
  return {
    resets: createPasswordTokens(database, {
      accounts: contentUsers,
      table: passwordResetsTable,
      key: secret,
      lifetimeMs: resetLifetimeMs,
      isForPasswordless: true,
    }),
    adminResets: createPasswordTokens(database, {
      accounts: adminUsers,
      table: adminPasswordResetsTable,
      key: keyOf('admin password reset'),
      lifetimeMs: resetLifetimeMs,
      // An expired invitation can only be renewed by a super-admin.
      isForPasswordless: false,
    }),
    invitations: createPasswordTokens(database, {
      accounts: adminUsers,
      table: adminInvitationsTable,
      key: keyOf('admin invitation'),
      lifetimeMs: invitationLifetimeMs,
      isForPasswordless: true,
    }),
  }
}
