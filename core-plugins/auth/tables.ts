import type { TableSpec } from '../database/database.ts'

export const adminUsersTable: TableSpec = {
  name: 'svc_admin_users',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'email', kind: 'string' },
    { name: 'username', kind: 'string' },
    { name: 'password_hash', kind: 'string' },
    { name: 'role', kind: 'string' },
    { name: 'blocked', kind: 'boolean' },
    { name: 'token_version', kind: 'integer' },
    { name: 'must_change_password', kind: 'boolean' },
    { name: 'created_at', kind: 'datetime' },
    { name: 'updated_at', kind: 'datetime' },
  ],
  indexes: [
    { columns: ['email'], type: 'unique' },
    { columns: ['username'], type: 'unique' },
    { columns: ['role'], type: 'index' },
  ],
}

export const apiTokensTable: TableSpec = {
  name: 'svc_api_tokens',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'name', kind: 'string' },
    { name: 'description', kind: 'text' },
    { name: 'token_hash', kind: 'string', length: 64 },
    { name: 'scopes', kind: 'json' },
    { name: 'expires_at', kind: 'datetime', nullable: true },
    { name: 'made_by', kind: 'string', length: 40, nullable: true },
    { name: 'last_used_at', kind: 'datetime', nullable: true },
    { name: 'created_at', kind: 'datetime' },
    { name: 'updated_at', kind: 'datetime' },
  ],
  indexes: [{ columns: ['token_hash'], type: 'unique' }],
}

/** Tokens that end before they expire. `revoked_from` lies ahead for one that was refreshed. */
export const revokedTokensTable: TableSpec = {
  name: 'svc_revoked_tokens',
  columns: [
    { name: 'jti', kind: 'string', length: 64 },
    { name: 'revoked_from', kind: 'datetime' },
    { name: 'expires_at', kind: 'datetime' },
  ],
  primaryKey: ['jti'],
  indexes: [{ columns: ['expires_at'], type: 'index' }],
}

/** `token_version` is the account's when the token was made: a change since makes the token worthless. */
export const passwordResetsTable: TableSpec = {
  name: 'svc_password_resets',
  columns: [
    { name: 'token_hash', kind: 'string', length: 64 },
    { name: 'user_id', kind: 'reference' },
    { name: 'token_version', kind: 'integer' },
    { name: 'expires_at', kind: 'datetime' },
  ],
  primaryKey: ['token_hash'],
  indexes: [
    { columns: ['user_id'], type: 'index' },
    { columns: ['expires_at'], type: 'index' },
  ],
  references: [{ column: 'user_id', table: 'svc_users', onDelete: 'cascade' }],
}

/** `failures` holds the times (epoch milliseconds) of the failed attempts within the window. */
export const loginAttemptsTable: TableSpec = {
  name: 'svc_login_attempts',
  columns: [
    { name: 'subject', kind: 'string', length: 100 },
    { name: 'failures', kind: 'json' },
    { name: 'locked_until', kind: 'datetime', nullable: true },
    { name: 'updated_at', kind: 'datetime' },
  ],
  primaryKey: ['subject'],
  indexes: [{ columns: ['updated_at'], type: 'index' }],
}

/** One row per topic; its epoch counts the changes that every process must hear of. */
export const authStateTable: TableSpec = {
  name: 'svc_auth_state',
  columns: [
    { name: 'topic', kind: 'string', length: 20 },
    { name: 'epoch', kind: 'integer' },
  ],
  primaryKey: ['topic'],
}

/** All of them, to be contributed. `svc_users` and `svc_roles` come with the system schemas. */
export const authTables = [
  adminUsersTable,
  apiTokensTable,
  revokedTokensTable,
  passwordResetsTable,
  loginAttemptsTable,
  authStateTable,
]
