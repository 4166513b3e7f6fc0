import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'
import type { Permissions } from './auth-service.ts'

const identityColumns = {
  id: column.id(),
  email: column.string(),
  username: column.string(),
  // Empty if the account has no password.
  passwordHash: column.string(),
  role: column.string(),
  blocked: column.boolean(),
  // Tokens carry the version they were signed with; incrementing it revokes them.
  tokenVersion: column.integer(),
}

const timeColumns = { createdAt: column.datetime(), updatedAt: column.datetime() }

/** The columns that both account tables have. */
export const accountColumns = { ...identityColumns, ...timeColumns }

/** The columns that only admin users have. */
export const adminUserColumns = { mustChangePassword: column.boolean() }

export const adminUsersTable = defineTable(
  'svc_admin_users',
  { ...identityColumns, ...adminUserColumns, ...timeColumns },
  {
    indexes: [
      { columns: ['email'], type: 'unique' },
      { columns: ['username'], type: 'unique' },
      { columns: ['role'], type: 'index' },
    ],
  },
)

/**
 * The owner of each appearance; see `AccountLooks`. The column of the hash is named after the username column, since a
 * violation is reported for that field.
 */
export function accountLooksTable(accounts: string) {
  return defineTable(
    `${accounts}_looks`,
    { userId: column.reference(accounts, 'cascade'), look: column.string(64).named('username') },
    { primaryKey: ['userId'], indexes: [{ columns: ['look'], type: 'unique' }] },
  )
}

/** Part of the system schemas, like the table of content users. */
export const rolesTable = defineTable('svc_roles', {
  id: column.id(),
  name: column.string(),
  description: column.text(),
  type: column.string<'built-in' | 'custom'>(),
  permissions: column.json<Permissions>(),
  createdAt: column.datetime(),
  updatedAt: column.datetime(),
})

export type Role = RowOf<typeof rolesTable>

export const apiTokensTable = defineTable(
  'svc_api_tokens',
  {
    id: column.id(),
    name: column.string(),
    description: column.text(),
    tokenHash: column.string(64),
    scopes: column.json<readonly string[]>(),
    expiresAt: column.datetime().nullable(),
    // In the format of `Makers`; null for tokens older than the recording of makers.
    madeBy: column.string(40).nullable(),
    lastUsedAt: column.datetime().nullable(),
    createdAt: column.datetime(),
    updatedAt: column.datetime(),
  },
  { indexes: [{ columns: ['tokenHash'], type: 'unique' }] },
)

export type ApiToken = RowOf<typeof apiTokensTable>

/** Values that a token had before it was rotated, while they still work. */
export const formerValuesTable = defineTable(
  'svc_api_token_former_values',
  {
    tokenHash: column.string(64),
    tokenId: column.reference('svc_api_tokens', 'cascade'),
    // The maker of the token when it had this value: rotating a token must not give the former value the rights of the new maker.
    madeBy: column.string(40).nullable(),
    validUntil: column.datetime(),
    lastUsedAt: column.datetime().nullable(),
  },
  {
    primaryKey: ['tokenHash'],
    indexes: [
      { columns: ['tokenId'], type: 'index' },
      { columns: ['validUntil'], type: 'index' },
    ],
  },
)

export type FormerValue = RowOf<typeof formerValuesTable>

/** Tokens revoked before they expire. `revoked_from` is in the future for a refreshed one. */
export const revokedTokensTable = defineTable(
  'svc_revoked_tokens',
  { jti: column.string(64), revokedFrom: column.datetime(), expiresAt: column.datetime() },
  { primaryKey: ['jti'], indexes: [{ columns: ['expiresAt'], type: 'index' }] },
)

/** `token_version` is the version of the account when the token was made; any later change invalidates the token. */
function passwordTokensTable(name: string, accounts: string) {
  return defineTable(
    name,
    {
      tokenHash: column.string(64),
      userId: column.reference(accounts, 'cascade'),
      tokenVersion: column.integer(),
      expiresAt: column.datetime(),
    },
    {
      primaryKey: ['tokenHash'],
      indexes: [
        { columns: ['userId'], type: 'index' },
        { columns: ['expiresAt'], type: 'index' },
      ],
    },
  )
}

export type PasswordTokensTable = ReturnType<typeof passwordTokensTable>

/** One table per purpose, so that a token is not valid for another one. */
export const passwordResetsTable = passwordTokensTable('svc_password_resets', 'svc_users')
export const adminPasswordResetsTable = passwordTokensTable('svc_admin_password_resets', 'svc_admin_users')
export const adminInvitationsTable = passwordTokensTable('svc_admin_invitations', 'svc_admin_users')

/**
 * The sessions shown to admin users. Not used to validate tokens: a row whose `token_version` differs from the account's
 * belongs to an ended session.
 */
export const adminSessionsTable = defineTable(
  'svc_admin_sessions',
  {
    id: column.id(),
    jti: column.string(64),
    userId: column.reference('svc_admin_users', 'cascade'),
    tokenVersion: column.integer(),
    userAgent: column.string(),
    address: column.string(64),
    createdAt: column.datetime(),
    lastSeenAt: column.datetime(),
    expiresAt: column.datetime(),
  },
  {
    indexes: [
      { columns: ['jti'], type: 'unique' },
      { columns: ['userId', 'lastSeenAt'], type: 'index' },
      { columns: ['expiresAt'], type: 'index' },
    ],
  },
)

export type AdminSession = RowOf<typeof adminSessionsTable>

/** `failures` holds the times (epoch milliseconds) of the failed attempts within the window. */
export const loginAttemptsTable = defineTable(
  'svc_login_attempts',
  {
    subject: column.string(100),
    failures: column.json<readonly number[]>(),
    lockedUntil: column.datetime().nullable(),
    updatedAt: column.datetime(),
  },
  { primaryKey: ['subject'], indexes: [{ columns: ['updatedAt'], type: 'index' }] },
)

/** `sessions`: the principals of credentials. `roles`: what a role may do. */
export type Topic = 'sessions' | 'roles'

/** One row per topic; its epoch counts the changes that every process must notice. */
export const authStateTable = defineTable(
  'svc_auth_state',
  { topic: column.string<Topic>(20), epoch: column.integer() },
  { primaryKey: ['topic'] },
)

/** All tables, to be contributed. `svc_users` and `svc_roles` come with the system schemas. */
export const authTables = [
  adminUsersTable,
  accountLooksTable(adminUsersTable.name),
  accountLooksTable('svc_users'),
  apiTokensTable,
  formerValuesTable,
  revokedTokensTable,
  passwordResetsTable,
  adminPasswordResetsTable,
  adminInvitationsTable,
  adminSessionsTable,
  loginAttemptsTable,
  authStateTable,
].map(({ spec }) => spec)
