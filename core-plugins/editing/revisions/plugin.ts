import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { graphqlFeatures } from '../../delivery/graphql/graphql.ts'
import {
  attributeHistoryService,
  contentService,
  contentWriteMiddleware,
  entryTables,
  storedEntriesService,
} from '../../entries/content/content.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { policies, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { createHistory } from './history.ts'
import { keepRevisions } from './keep-revisions.ts'
import { createRestorer } from './restore-revision.ts'
import { createRevisionAccess, revisionPolicy } from './revision-access.ts'
import { revisionFeature } from './revision-feature.ts'
import { createRevisionStore } from './revision-store.ts'
import { revisionRoutes } from './routes.ts'
import { maxRevisions, visibleToEditors } from './settings.ts'
import { revisionsTable } from './tables.ts'

/** The history of entries: every write is recorded, and revisions can be compared and restored. */
export const revisionsPlugin = definePlugin({
  name: 'revisions',
  description: 'Records every version of entries, compares and restores them',
  uses: {
    auth: authService,
    config: configService,
    content: contentService,
    storedEntries: storedEntriesService,
    attributeHistory: attributeHistoryService,
    database: databaseService,
    schemas: schemasService,
  },

  register({ contribute }) {
    contribute(settings, maxRevisions)
    contribute(settings, visibleToEditors)
    contribute(tables, revisionsTable.spec)
  },

  init({ services, contribute }) {
    const { auth, config, content, storedEntries, attributeHistory, database, schemas } = services
    const store = createRevisionStore(database, attributeHistory)
    const restorer = createRestorer(content)
    const max = () => config.get(maxRevisions)
    const stage = keepRevisions({ store, max })
    // Outside the stages of other plugins, so that it sees entries as they are after those.
    contribute(contentWriteMiddleware, stage, { before: ['*'] })
    contribute(entryTables, { table: revisionsTable, matches: ({ system }) => !system })
    const isOpen = () => config.get(visibleToEditors)
    contribute(policies, revisionPolicy({ auth, isOpen }))
    const access = createRevisionAccess({ auth, content, storedEntries })
    const history = createHistory({ store, restorer, access, schemas, max })
    for (const route of revisionRoutes(history)) contribute(routes, route)
    contribute(graphqlFeatures, revisionFeature(history))
  },
})
