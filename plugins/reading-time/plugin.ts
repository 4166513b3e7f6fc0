import {
  configService,
  contentService,
  contentWriteMiddleware,
  databaseService,
  defineExtension,
  entryDeleted,
  graphqlExtensions,
  panelModules,
  policies,
  routes,
  settings,
  tables,
} from 'mortise/plugin'
import { createEstimates, estimatesTable } from './estimates.ts'
import { readingTimeField } from './graphql-field.ts'
import { listRoute } from './list-route.ts'
import { measureWrites } from './measure.ts'
import { readerPolicy, readRoute } from './route.ts'
import { isForEveryone, wordsPerMinute } from './settings.ts'

export default defineExtension({
  name: 'reading-time',
  displayName: 'Reading time',
  description: 'Shows how long entries take to read',
  version: '1.0.0',
  engines: { mortise: '>=0.1.0' },
  uses: { config: configService, content: contentService, database: databaseService },

  register({ contribute }) {
    contribute(settings, wordsPerMinute)
    contribute(settings, isForEveryone)
    contribute(tables, estimatesTable.spec)
    contribute(panelModules, { file: './panel.tsx' })
  },

  init({ services: { config, content, database }, contribute, on }) {
    const estimates = createEstimates(database)
    contribute(contentWriteMiddleware, measureWrites(estimates))
    contribute(policies, readerPolicy(config))
    contribute(routes, readRoute({ config, content, estimates }))
    contribute(routes, listRoute({ config, content, estimates }))
    contribute(graphqlExtensions, readingTimeField({ config, estimates }))
    on(entryDeleted, ({ contentType, entry }) => estimates.remove(database, contentType, entry.id))
  },
})
