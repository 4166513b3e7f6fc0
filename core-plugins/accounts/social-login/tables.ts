import { column, defineTable } from '../../foundation/database/database.ts'

/** Which provider account belongs to which content user; each belongs to one user only. */
export const identitiesTable = defineTable(
  'svc_social_identities',
  {
    provider: column.string(20),
    subject: column.string(),
    userId: column.reference('svc_users', 'cascade'),
    createdAt: column.datetime(),
  },
  {
    section: 'content',
    primaryKey: ['provider', 'subject'],
    indexes: [{ columns: ['userId'], type: 'index' }],
  },
)

/** Sign-ins that have been answered, kept until they would have expired anyway: each is accepted once. */
export const usedStatesTable = defineTable(
  'svc_social_used_states',
  { stateHash: column.string(64), expiresAt: column.datetime() },
  { primaryKey: ['stateHash'], indexes: [{ columns: ['expiresAt'], type: 'index' }] },
)
