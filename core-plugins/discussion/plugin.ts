import { definePlugin } from '../../kernel/index.ts'
import { auditService } from '../audit/audit.ts'
import { authService } from '../auth/auth.ts'
import { backupTables } from '../backups/backups.ts'
import { contentService, contentWriteMiddleware } from '../content/content.ts'
import { databaseService, tables } from '../database/database.ts'
import { routes } from '../http/http.ts'
import { createAssignments } from './assignments.ts'
import { createComments } from './comments.ts'
import { assignmentCreated, commentCreated } from './discussion.ts'
import { createDiscussions } from './discussions.ts'
import { forgetDeleted } from './forget-deleted.ts'
import { discussionRoutes } from './routes.ts'
import { assignmentsTable, commentsTable } from './tables.ts'

/** Comments on entries, and assignments of admin users to entries. */
export const discussionPlugin = definePlugin({
  name: 'discussion',
  description: 'Comments on entries, and assignments of admin users to them',
  uses: { auth: authService, content: contentService, database: databaseService },
  usesIfPresent: { audit: auditService },
  hooks: [commentCreated, assignmentCreated],

  register({ contribute }) {
    contribute(tables, commentsTable.spec)
    contribute(tables, assignmentsTable.spec)
    // Assignments refer to admin users, who are not part of backups.
    contribute(backupTables, { table: commentsTable.name, section: 'content' })
  },

  init({ services: { auth, content, database, audit }, contribute, emit }) {
    const comments = createComments(database)
    const assignments = createAssignments(database)
    const discussions = createDiscussions({ comments, assignments, database, content, auth, audit, emit })
    contribute(contentWriteMiddleware, forgetDeleted(comments, assignments))
    for (const route of discussionRoutes(discussions)) contribute(routes, route)
  },
})
