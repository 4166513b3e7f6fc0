import { definePlugin } from '../../kernel/index.ts'
import { backupTables } from '../backups/backups.ts'
import { configService, settings } from '../config/config.ts'
import { contentService, contentWriteMiddleware } from '../content/content.ts'
import { databaseService, tables } from '../database/database.ts'
import { routes } from '../http/http.ts'
import { schemasService } from '../schemas/schemas.ts'
import { keepRevisions } from './keep-revisions.ts'
import { createRestorer } from './restore-revision.ts'
import { createRevisionStore } from './revision-store.ts'
import { revisionRoutes } from './routes.ts'
import { maxRevisions } from './settings.ts'
import { revisionsTable } from './tables.ts'

/** The history of entries: every write is kept, can be compared and brought back. */
export const revisionsPlugin = definePlugin({
  name: 'revisions',
  description: 'Keeps what entries were after each write, compares it and brings it back',
  uses: {
    config: configService,
    content: contentService,
    database: databaseService,
    schemas: schemasService,
  },

  register({ contribute }) {
    contribute(settings, maxRevisions)
    contribute(tables, revisionsTable)
    contribute(backupTables, { table: revisionsTable.name, section: 'content' })
  },

  init({ services: { config, content, database, schemas }, contribute }) {
    const store = createRevisionStore(database)
    const restorer = createRestorer(content)
    const max = () => config.get(maxRevisions)
    contribute(contentWriteMiddleware, keepRevisions({ store, max, isRestored: restorer.isRestored }))
    for (const route of revisionRoutes({ store, restorer, content, schemas, max })) contribute(routes, route)
  },
})
