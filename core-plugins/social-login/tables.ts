import type { TableSpec } from '../database/database.ts'

/** Which account of a provider is which content user; one account of a provider is one user's only. */
export const identitiesTable: TableSpec = {
  name: 'svc_social_identities',
  columns: [
    { name: 'provider', kind: 'string', length: 20 },
    { name: 'subject', kind: 'string' },
    { name: 'user_id', kind: 'reference' },
    { name: 'created_at', kind: 'datetime' },
  ],
  primaryKey: ['provider', 'subject'],
  indexes: [{ columns: ['user_id'], type: 'index' }],
  references: [{ column: 'user_id', table: 'svc_users', onDelete: 'cascade' }],
}

/** Sign-ins whose answer has come, until they would have expired anyway: each counts once. */
export const usedStatesTable: TableSpec = {
  name: 'svc_social_used_states',
  columns: [
    { name: 'state_hash', kind: 'string', length: 64 },
    { name: 'expires_at', kind: 'datetime' },
  ],
  primaryKey: ['state_hash'],
  indexes: [{ columns: ['expires_at'], type: 'index' }],
}
