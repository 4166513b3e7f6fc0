import { definePlugin } from '../../../kernel/index.ts'
import { graphqlFeatures } from '../../delivery/graphql/graphql.ts'
import {
  attributeHistoryService,
  contentService,
  contentWriteMiddleware,
  entryMeta,
  entryTables,
  pendingDrafts,
  storedEntriesService,
} from '../../entries/content/content.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { draftFeature } from './draft-feature.ts'
import { draftMeta } from './draft-meta.ts'
import { createDraftStore } from './draft-store.ts'
import { forgetLeftovers } from './forget-leftovers.ts'
import { createFindChanges, draftRoutes } from './routes.ts'
import { draftsTable } from './tables.ts'
import { assertFreeValues } from './taken-values.ts'

/** Pending drafts of published entries, for content types with `options.draftOverlay`. */
export const draftsPlugin = definePlugin({
  name: 'drafts',
  description: 'Keeps changes to published entries as pending drafts until they are published',
  uses: {
    content: contentService,
    storedEntries: storedEntriesService,
    attributeHistory: attributeHistoryService,
    database: databaseService,
  },

  register({ contribute }) {
    contribute(tables, draftsTable.spec)
  },

  init({ services: { content, storedEntries, attributeHistory, database }, contribute }) {
    const store = createDraftStore(database, attributeHistory)
    contribute(pendingDrafts, store)
    contribute(entryMeta, draftMeta(database))
    contribute(contentWriteMiddleware, assertFreeValues(database))
    contribute(entryTables, { table: draftsTable, matches: store.matches })
    contribute(contentWriteMiddleware, forgetLeftovers(store))
    const findChanges = createFindChanges(content, storedEntries, database)
    for (const route of draftRoutes({ content, findChanges })) contribute(routes, route)
    contribute(graphqlFeatures, draftFeature(content, findChanges))
  },
})
