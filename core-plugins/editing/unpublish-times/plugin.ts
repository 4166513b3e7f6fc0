import { sql } from 'drizzle-orm'
import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { auditService } from '../../background/audit/audit.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import {
  contentService,
  contentWriteMiddleware,
  entryMeta,
  entryTables,
  storedEntriesService,
} from '../../entries/content/content.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { entryCompanions, restoreSteps } from '../../foundation/sections/sections.ts'
import { createDueUnpublish, scheduleRestored, scheduleUnpublish } from './due-unpublish.ts'
import { unpublishTimeRoutes } from './routes.ts'
import { unpublishTimesTable } from './tables.ts'
import { assertInOrder, createTimeChanges } from './time-changes.ts'
import { timeCompanion } from './time-companion.ts'
import { timeMeta } from './time-meta.ts'
import { createTimeStore } from './time-store.ts'
import { unpublishTimesService } from './unpublish-times.ts'
import { endWithUnpublish, setWithPublication, unpublishRestored } from './write-stages.ts'

/** Lets entries be public until a set time. */
export const unpublishTimesPlugin = definePlugin({
  name: 'unpublish-times',
  description: 'Unpublishes entries at a time that is set for them',
  uses: {
    auth: authService,
    content: contentService,
    database: databaseService,
    jobs: jobsService,
    schemas: schemasService,
    storedEntries: storedEntriesService,
  },
  usesIfPresent: { audit: auditService },
  provides: [unpublishTimesService],

  register({ contribute }) {
    contribute(tables, unpublishTimesTable.spec)
  },

  init({ services, contribute, provide }) {
    const { auth, content, database, jobs, schemas } = services
    const store = createTimeStore(database)
    const kind = createDueUnpublish({ store, content, schemas, makers: auth.makers })
    const changes = createTimeChanges({
      ...{ ...services, store },
      schedule: (tx, due) => scheduleUnpublish(tx, { jobs, kind }, due),
    })
    const { type, entryId, unpublishAt } = unpublishTimesTable.columns
    provide(unpublishTimesService, {
      // Safe to write into the statement: names of types consist of letters, digits and hyphens.
      ofType: (name) => sql`select ${entryId} as entry_id, ${unpublishAt} as unpublish_at
        from ${unpublishTimesTable} where ${type} = ${sql.raw(`'${name}'`)}`,
      find: async (name, ids, on) =>
        new Map([...(await store.find(name, ids, on))].map(([id, time]) => [id, time.unpublishAt])),
      async set(tx, change) {
        if (change.unpublishAt !== null) assertInOrder(change.unpublishAt, change.publishedAt)
        await changes.put(tx, change)
      },
    })
    contribute(
      restoreSteps,
      async (tx, { content: isContent }) => isContent && scheduleRestored(tx, { store, jobs, kind }),
    )
    contribute(jobKinds, kind)
    contribute(entryCompanions, timeCompanion({ ...services, store, changes }))
    contribute(entryMeta, timeMeta(store))
    contribute(contentWriteMiddleware, setWithPublication(store, changes))
    contribute(contentWriteMiddleware, endWithUnpublish(store))
    contribute(contentWriteMiddleware, unpublishRestored(store))
    contribute(entryTables, {
      table: unpublishTimesTable,
      matches: ({ options }) => options.draftAndPublish,
    })
    for (const route of unpublishTimeRoutes(changes)) contribute(routes, route)
  },
})
