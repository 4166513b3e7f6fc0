import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { auditService } from '../../background/audit/audit.ts'
import { graphqlFeatures } from '../../delivery/graphql/graphql.ts'
import {
  contentQueriesService,
  contentService,
  contentWriteMiddleware,
  entryMeta,
  entryTables,
} from '../../entries/content/content.ts'
import { typeFacts } from '../../entries/content-types/content-types.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemaRules, schemasService } from '../../foundation/schemas/schemas.ts'
import { entryCompanions } from '../../foundation/sections/sections.ts'
import { inboxSources } from '../inbox/inbox.ts'
import { readWorkflows, workflowProblems } from './definition.ts'
import { describeWorkflows } from './describe-workflow.ts'
import { workflowRoutes } from './routes.ts'
import { stateMeta } from './state-meta.ts'
import { statesTable, transitionsTable } from './tables.ts'
import { createTransitions } from './transitions.ts'
import { waitingTransitions } from './waiting-transitions.ts'
import { workflowTransitioned } from './workflow.ts'
import { workflowCompanion } from './workflow-companion.ts'
import { workflowFeature } from './workflow-feature.ts'
import { createWorkflowStore } from './workflow-store.ts'
import { guardPublishing } from './write-stages.ts'

/** Approval workflows: the states that entries go through before they may be published. */
export const workflowPlugin = definePlugin({
  name: 'workflow',
  description: 'Approval workflows of content types: states, transitions with roles, history',
  uses: {
    auth: authService,
    content: contentService,
    contentQueries: contentQueriesService,
    database: databaseService,
    schemas: schemasService,
  },
  usesIfPresent: { audit: auditService },
  hooks: [workflowTransitioned],

  register({ contribute }) {
    contribute(schemaRules, workflowProblems)
    for (const table of [statesTable, transitionsTable]) contribute(tables, table.spec)
  },

  init({ services, contribute, emit }) {
    const { auth, database, schemas } = services
    const workflows = readWorkflows(schemas)
    const store = createWorkflowStore(database)
    const transitions = createTransitions({ ...services, workflows, store, emit })
    contribute(contentWriteMiddleware, guardPublishing(workflows, store))
    for (const table of [statesTable, transitionsTable])
      contribute(entryTables, { table, matches: ({ name }) => workflows.has(name) })
    contribute(entryMeta, stateMeta(workflows, store))
    contribute(inboxSources, waitingTransitions(workflows, database, auth))
    contribute(typeFacts, describeWorkflows(workflows))
    contribute(entryCompanions, workflowCompanion({ ...services, workflows, store, emit }))
    for (const route of workflowRoutes(transitions, store, auth)) contribute(routes, route)
    contribute(graphqlFeatures, workflowFeature({ auth, workflows, transitions, store }))
  },
})
