import { definePlugin } from '../../kernel/index.ts'
import { backupTables } from '../backups/backups.ts'
import { contentService, contentWriteMiddleware, pendingDrafts } from '../content/content.ts'
import { databaseService, tables } from '../database/database.ts'
import { routes } from '../http/http.ts'
import { createDraftStore } from './draft-store.ts'
import { forgetWithEntries } from './forget-with-entries.ts'
import { draftRoutes } from './routes.ts'
import { draftsTable } from './tables.ts'
import { refuseTakenValues } from './taken-values.ts'

/** Drafts beside published entries, for content types with `options.draftOverlay`. */
export const draftsPlugin = definePlugin({
  name: 'drafts',
  description: 'Keeps changes of published entries as drafts beside them until they are published',
  uses: { content: contentService, database: databaseService },

  register({ contribute }) {
    contribute(tables, draftsTable)
    contribute(backupTables, { table: draftsTable.name, section: 'content' })
  },

  init({ services: { content, database }, contribute }) {
    const store = createDraftStore(database)
    contribute(pendingDrafts, store)
    contribute(contentWriteMiddleware, refuseTakenValues(database))
    contribute(contentWriteMiddleware, forgetWithEntries(store))
    for (const route of draftRoutes(content, database)) contribute(routes, route)
  },
})
