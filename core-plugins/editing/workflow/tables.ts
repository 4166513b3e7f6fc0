import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'

/** The states of entries that have left their initial one. */
export const statesTable = defineTable(
  'svc_workflow_states',
  {
    type: column.string(64),
    entryId: column.integer(),
    state: column.string(64),
    updatedAt: column.datetime(),
  },
  {
    section: 'content',
    primaryKey: ['type', 'entryId'],
    // For finding the entries that entered a state last, without sorting all entries in it.
    indexes: [{ columns: ['type', 'state', 'updatedAt'], type: 'index' }],
  },
)

export const transitionsTable = defineTable(
  'svc_workflow_transitions',
  {
    id: column.id(),
    type: column.string(64),
    entryId: column.integer(),
    from: column.string(64).named('from_state'),
    to: column.string(64).named('to_state'),
    comment: column.text().nullable(),
    actorKind: column.string(20).nullable(),
    actorId: column.integer().nullable(),
    actorName: column.string().nullable(),
    createdAt: column.datetime(),
  },
  { section: 'content', indexes: [{ columns: ['type', 'entryId'], type: 'index' }] },
)

export type TransitionRow = RowOf<typeof transitionsTable>
