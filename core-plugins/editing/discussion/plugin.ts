import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { auditService } from '../../background/audit/audit.ts'
import { contentService, entryMeta, entryTables } from '../../entries/content/content.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { inboxService, inboxSources } from '../inbox/inbox.ts'
import { assigneeMeta } from './assignee-meta.ts'
import { createAssignments } from './assignments.ts'
import { createComments } from './comments.ts'
import { assignmentCreated, commentCreated, discussionChanged, notifiers } from './discussion.ts'
import { createDiscussionInbox } from './discussion-inbox.ts'
import { createDiscussions } from './discussions.ts'
import { dismissRoute } from './dismiss-route.ts'
import { inboxSourcesOf } from './inbox-sources.ts'
import { createMentions } from './mentions.ts'
import { discussionRoutes } from './routes.ts'
import { assignmentsTable, commentsTable, mentionsTable } from './tables.ts'
import { createUsernames } from './usernames.ts'

/** Comments on entries, and assignments of admin users to entries. */
export const discussionPlugin = definePlugin({
  name: 'discussion',
  description: 'Comments on entries, and assignments of admin users to them',
  uses: { auth: authService, content: contentService, database: databaseService },
  usesIfPresent: { audit: auditService, inbox: inboxService },
  hooks: [commentCreated, assignmentCreated, discussionChanged],
  points: [notifiers],

  register({ contribute }) {
    for (const table of [commentsTable, mentionsTable, assignmentsTable]) contribute(tables, table.spec)
  },

  init({ services, contribute, contributions, emit }) {
    const { auth, content, database, audit, inbox } = services
    const comments = createComments(database, createMentions(database))
    const assignments = createAssignments(database, createUsernames(database))
    const discussions = createDiscussions({
      ...{ comments, assignments, database, content, auth, audit, emit },
      async notify(tx, notice) {
        for (const notifier of contributions(notifiers)) await notifier(tx, notice)
      },
    })
    if (inbox !== undefined) {
      const waiting = createDiscussionInbox(database)
      for (const source of inboxSourcesOf(waiting)) contribute(inboxSources, source)
      contribute(routes, dismissRoute(waiting))
    }
    for (const table of [commentsTable, assignmentsTable])
      contribute(entryTables, { table, matches: () => true })
    contribute(entryMeta, assigneeMeta(database, auth))
    for (const route of discussionRoutes(discussions, auth)) contribute(routes, route)
  },
})
