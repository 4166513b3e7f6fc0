import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { type AccessState, createAccessState } from './access-state.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { type ApiTokens, createApiTokens } from './api-tokens.ts'
import { createLoginAttempts, type LoginAttempts } from './login-attempts.ts'
import { createPasswordResets, type PasswordResets } from './password-resets.ts'
import { createRevokedTokens, type RevokedTokens } from './revoked-tokens.ts'
import { createRoles, type Roles } from './roles.ts'
import { adminUserColumns, adminUsersTable } from './tables.ts'
import type { UserAttributes } from './user-attributes.ts'

/** Everything that the plugin stores in the database. */
export interface Stores {
  readonly state: AccessState
  readonly adminUsers: Accounts
  readonly contentUsers: Accounts
  readonly roles: Roles
  readonly apiTokens: ApiTokens
  readonly revoked: RevokedTokens
  readonly resets: PasswordResets
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
    resets: createPasswordResets(database, contentUsers, options.resetSecret),
    attempts: createLoginAttempts(database, config),
  }
}

/** Deletes expired rows, all of which would be refused anyway. */
export async function removeExpired({ revoked, resets, attempts }: Stores): Promise<void> {
  for (const store of [revoked, resets, attempts]) await store.removeExpired()
}
