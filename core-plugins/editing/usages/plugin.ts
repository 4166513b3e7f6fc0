import { appStart, definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import {
  contentQueriesService,
  contentService,
  contentWriteMiddleware,
  storedEntriesService,
} from '../../entries/content/content.ts'
import { createUsageIndex } from '../../entries/usage-index/usage-index.ts'
import {
  databaseService,
  StepKeeper,
  schemaRecordService,
  tables,
} from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { restoreSteps } from '../../foundation/sections/sections.ts'
import { followHeirs } from './follow-heirs.ts'
import { entryIndex } from './index-entries.ts'
import { createReferring } from './referring.ts'
import { usageRoute } from './routes.ts'
import { usageStateTable, usagesTable } from './tables.ts'
import { createUsagePlaces } from './usage-places.ts'
import { createUsageStore } from './usage-store.ts'

/** Finds where entries are used: in relations, components, zones and pending drafts. */
export const usagesPlugin = definePlugin({
  name: 'usages',
  description: 'Tells where an entry is used, and what deleting it would do',
  uses: {
    auth: authService,
    content: contentService,
    contentQueries: contentQueriesService,
    database: databaseService,
    jobs: jobsService,
    schemaRecord: schemaRecordService,
    schemas: schemasService,
    storedEntries: storedEntriesService,
  },

  register({ contribute }) {
    for (const table of [usagesTable, usageStateTable]) contribute(tables, table.spec)
  },

  init({ services, contribute, on, onDispose, log }) {
    const { auth, content, database, schemaRecord: record, schemas, storedEntries } = services
    const places = createUsagePlaces(schemas)
    const store = createUsageStore(database)
    const index = createUsageIndex(entryIndex(places, store), services)
    const referring = createReferring({ ...services, places })
    const { writtenIn } = index
    contribute(contentWriteMiddleware, index.stage)
    contribute(contentWriteMiddleware, followHeirs({ places, schemas, store, storedEntries, writtenIn }))
    contribute(jobKinds, index.job)
    contribute(restoreSteps, async (tx, restored) => restored.content && index.request(tx))
    contribute(routes, usageRoute({ auth, content, referring, schemaRecord: record, schemas }))
    const keeper = new StepKeeper({
      ...{ record, table: usagesTable.name, log, againMs: 300_000 },
      onMissed: () => database.transaction(index.request),
    })
    on(appStart, index.requestIfStale)
    on(appStart, () => keeper.start())
    onDispose(() => keeper.stop())
  },
})
