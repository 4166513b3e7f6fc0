import type { ColumnSpec, Columns, TableSpec } from '../database/database.ts'

const entry: readonly ColumnSpec[] = [
  { name: 'type', kind: 'string', length: 64 },
  { name: 'entry_id', kind: 'integer' },
]

const person = (name: string, options: { nullable: boolean }): readonly ColumnSpec[] => [
  { name: `${name}_kind`, kind: 'string', length: 20, ...options },
  { name: `${name}_id`, kind: 'integer', ...options },
  { name: `${name}_name`, kind: 'string', ...options },
]

export const commentsTable: TableSpec = {
  name: 'svc_comments',
  columns: [
    { name: 'id', kind: 'id' },
    ...entry,
    { name: 'body', kind: 'text' },
    { name: 'parent_id', kind: 'reference', nullable: true },
    ...person('author', { nullable: false }),
    ...person('resolver', { nullable: true }),
    { name: 'resolved_at', kind: 'datetime', nullable: true },
    { name: 'created_at', kind: 'datetime' },
    { name: 'updated_at', kind: 'datetime' },
  ],
  indexes: [
    { columns: ['type', 'entry_id'], type: 'index' },
    { columns: ['parent_id'], type: 'index' },
  ],
  references: [{ column: 'parent_id', table: 'svc_comments', onDelete: 'set null' }],
}

/** Assignments of an admin user who is deleted go along. */
export const assignmentsTable: TableSpec = {
  name: 'svc_assignments',
  columns: [
    { name: 'id', kind: 'id' },
    ...entry,
    { name: 'user_id', kind: 'reference' },
    { name: 'role', kind: 'string', length: 64 },
    ...person('assigner', { nullable: false }),
    { name: 'created_at', kind: 'datetime' },
  ],
  indexes: [
    { columns: ['type', 'entry_id', 'user_id', 'role'], type: 'unique' },
    { columns: ['user_id'], type: 'index' },
  ],
  references: [{ column: 'user_id', table: 'svc_admin_users', onDelete: 'cascade' }],
}

const entryColumns = {
  type: { column: 'type', kind: 'string' },
  entryId: { column: 'entry_id', kind: 'integer' },
} as const satisfies Columns

export const commentColumns = {
  id: { column: 'id', kind: 'id' },
  ...entryColumns,
  body: { column: 'body', kind: 'text' },
  parent: { column: 'parent_id', kind: 'reference' },
  authorKind: { column: 'author_kind', kind: 'string' },
  authorId: { column: 'author_id', kind: 'integer' },
  authorName: { column: 'author_name', kind: 'string' },
  resolverKind: { column: 'resolver_kind', kind: 'string' },
  resolverId: { column: 'resolver_id', kind: 'integer' },
  resolverName: { column: 'resolver_name', kind: 'string' },
  resolvedAt: { column: 'resolved_at', kind: 'datetime' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
} as const satisfies Columns

export const assignmentColumns = {
  id: { column: 'id', kind: 'id' },
  ...entryColumns,
  userId: { column: 'user_id', kind: 'reference' },
  role: { column: 'role', kind: 'string' },
  assignerKind: { column: 'assigner_kind', kind: 'string' },
  assignerId: { column: 'assigner_id', kind: 'integer' },
  assignerName: { column: 'assigner_name', kind: 'string' },
  createdAt: { column: 'created_at', kind: 'datetime' },
} as const satisfies Columns
