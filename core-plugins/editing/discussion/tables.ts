import { column, defineTable, type RowOf } from '../../foundation/database/database.ts'

const entry = { type: column.string(64), entryId: column.integer() }

export const commentsTable = defineTable(
  'svc_comments',
  {
    id: column.id(),
    ...entry,
    body: column.text(),
    parent: column.reference('svc_comments', 'set null').named('parent_id').nullable(),
    field: column.string().nullable(),
    authorKind: column.string(20),
    authorId: column.integer(),
    authorName: column.string(),
    resolverKind: column.string(20).nullable(),
    resolverId: column.integer().nullable(),
    resolverName: column.string().nullable(),
    resolvedAt: column.datetime().nullable(),
    createdAt: column.datetime(),
    updatedAt: column.datetime(),
  },
  {
    section: 'content',
    indexes: [
      { columns: ['type', 'entryId'], type: 'index' },
      { columns: ['parent'], type: 'index' },
    ],
  },
)

export type CommentRow = RowOf<typeof commentsTable>

/** Assignments are deleted along with their admin user, and like admin users they are not part of backups. */
export const assignmentsTable = defineTable(
  'svc_assignments',
  {
    id: column.id(),
    ...entry,
    userId: column.reference('svc_admin_users', 'cascade'),
    role: column.string(64),
    assignerKind: column.string(20),
    assignerId: column.integer(),
    assignerName: column.string(),
    createdAt: column.datetime(),
  },
  {
    indexes: [
      { columns: ['type', 'entryId', 'userId', 'role'], type: 'unique' },
      { columns: ['userId'], type: 'index' },
    ],
  },
)

export type AssignmentRow = RowOf<typeof assignmentsTable>

/** Mentions are deleted along with their comment and their admin user, and like admin users they are not part of backups. */
export const mentionsTable = defineTable(
  'svc_mentions',
  {
    id: column.id(),
    commentId: column.reference('svc_comments', 'cascade'),
    userId: column.reference('svc_admin_users', 'cascade'),
    // Null for mentions older than the column: they are as old as their comment.
    mentionedAt: column.datetime().nullable(),
    /** When the user removed it from their inbox. */
    dismissedAt: column.datetime().nullable(),
  },
  {
    indexes: [
      { columns: ['commentId', 'userId'], type: 'unique' },
      { columns: ['userId'], type: 'index' },
    ],
  },
)
