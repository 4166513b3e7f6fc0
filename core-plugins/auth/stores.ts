import type { Config } from '../config/config.ts'
import type { Columns, Database } from '../database/database.ts'
import { type AccessState, createAccessState } from './access-state.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { type ApiTokens, createApiTokens } from './api-tokens.ts'
import { createLoginAttempts, type LoginAttempts } from './login-attempts.ts'
import { createPasswordResets, type PasswordResets } from './password-resets.ts'
import { createRevokedTokens, type RevokedTokens } from './revoked-tokens.ts'
import { createRoles, type Roles } from './roles.ts'
import { adminUsersTable } from './tables.ts'

/** Everything that the plugin keeps in the database. */
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
  /** Columns that admin users have beside the common ones. */
  readonly adminUserColumns: Columns
  readonly contentUsers: { readonly table: string; readonly columns: Columns }
  /** Keys the hashes of password reset tokens. */
  readonly resetSecret: string
}

/** Builds all statements; nothing is run. */
export function createStores({ database, config, types, ...options }: StoresOptions): Stores {
  const state = createAccessState(database)
  const adminUsers = createAccounts(database, adminUsersTable.name, options.adminUserColumns)
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

/** Deletes what has expired; each row would be refused anyway. */
export async function sweepStores({ revoked, resets, attempts }: Stores): Promise<void> {
  for (const store of [revoked, resets, attempts]) await store.sweep()
}
