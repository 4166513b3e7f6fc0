import type { Columns, TableSpec } from '../database/database.ts'

/** The states of entries that have left their initial one. */
export const statesTable: TableSpec = {
  name: 'svc_workflow_states',
  columns: [
    { name: 'type', kind: 'string', length: 64 },
    { name: 'entry_id', kind: 'integer' },
    { name: 'state', kind: 'string', length: 64 },
    { name: 'updated_at', kind: 'datetime' },
  ],
  primaryKey: ['type', 'entry_id'],
}

export const transitionsTable: TableSpec = {
  name: 'svc_workflow_transitions',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'type', kind: 'string', length: 64 },
    { name: 'entry_id', kind: 'integer' },
    { name: 'from_state', kind: 'string', length: 64 },
    { name: 'to_state', kind: 'string', length: 64 },
    { name: 'comment', kind: 'text', nullable: true },
    { name: 'actor_kind', kind: 'string', length: 20, nullable: true },
    { name: 'actor_id', kind: 'integer', nullable: true },
    { name: 'actor_name', kind: 'string', nullable: true },
    { name: 'created_at', kind: 'datetime' },
  ],
  indexes: [{ columns: ['type', 'entry_id'], type: 'index' }],
}

export const transitionColumns = {
  id: { column: 'id', kind: 'id' },
  type: { column: 'type', kind: 'string' },
  entryId: { column: 'entry_id', kind: 'integer' },
  from: { column: 'from_state', kind: 'string' },
  to: { column: 'to_state', kind: 'string' },
  comment: { column: 'comment', kind: 'text' },
  actorKind: { column: 'actor_kind', kind: 'string' },
  actorId: { column: 'actor_id', kind: 'integer' },
  actorName: { column: 'actor_name', kind: 'string' },
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns
