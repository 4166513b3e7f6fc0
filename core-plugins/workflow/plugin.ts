import { definePlugin } from '../../kernel/index.ts'
import { auditService } from '../audit/audit.ts'
import { authService } from '../auth/auth.ts'
import { backupTables } from '../backups/backups.ts'
import { contentService, contentWriteMiddleware } from '../content/content.ts'
import { databaseService, tables } from '../database/database.ts'
import { routes } from '../http/http.ts'
import { schemasService } from '../schemas/schemas.ts'
import { readWorkflows } from './definition.ts'
import { workflowRoutes } from './routes.ts'
import { statesTable, transitionsTable } from './tables.ts'
import { createTransitions } from './transitions.ts'
import { workflowTransitioned } from './workflow.ts'
import { createWorkflowStore } from './workflow-store.ts'
import { forgetDeleted, guardPublishing } from './write-stages.ts'

/** Approval workflows: the states that entries go through before they may be published. */
export const workflowPlugin = definePlugin({
  name: 'workflow',
  description: 'Approval workflows of content types: states, transitions with roles, history',
  uses: { auth: authService, content: contentService, database: databaseService, schemas: schemasService },
  usesIfPresent: { audit: auditService },
  hooks: [workflowTransitioned],

  register({ contribute }) {
    for (const table of [statesTable, transitionsTable]) {
      contribute(tables, table.spec)
      contribute(backupTables, { table: table.name, section: 'content' })
    }
  },

  init({ services: { auth, content, database, schemas, audit }, contribute, emit }) {
    const workflows = readWorkflows(schemas)
    const store = createWorkflowStore(database)
    const transitions = createTransitions({ workflows, store, database, content, auth, audit, emit })
    contribute(contentWriteMiddleware, guardPublishing(workflows, store))
    contribute(contentWriteMiddleware, forgetDeleted(workflows, store))
    for (const route of workflowRoutes(transitions, store)) contribute(routes, route)
  },
})
