import { definePlugin } from '../../kernel/index.ts'
import { authService } from '../auth/auth.ts'
import { bulkWritesService, contentService } from '../content/content.ts'
import { databaseService, tables } from '../database/database.ts'
import { routes } from '../http/http.ts'
import { jobKinds, jobsService } from '../jobs/jobs.ts'
import { schemasService } from '../schemas/schemas.ts'
import { createPublish } from './publish.ts'
import { createReleaseChanges } from './release-changes.ts'
import { createReleaseStore } from './release-store.ts'
import { releaseFailed, releasePublished } from './releases.ts'
import { releaseRoutes } from './routes.ts'
import { createPublicationJob, schedulePublication } from './scheduled-publication.ts'
import { releaseItemsTable, releasesTable } from './tables.ts'

/** Entries that are published together, manually or at a scheduled time. */
export const releasesPlugin = definePlugin({
  name: 'releases',
  description: 'Publishes many entries together, all or none, manually or at a scheduled time',
  uses: {
    auth: authService,
    bulkWrites: bulkWritesService,
    content: contentService,
    database: databaseService,
    jobs: jobsService,
    schemas: schemasService,
  },
  hooks: [releasePublished, releaseFailed],

  register({ contribute }) {
    contribute(tables, releasesTable.spec)
    contribute(tables, releaseItemsTable.spec)
  },

  init({ services: { auth, bulkWrites, content, database, jobs, schemas }, contribute, emit }) {
    const store = createReleaseStore(database)
    const publish = createPublish({ store, database, bulkWrites, auth, emit })
    const kind = createPublicationJob({ store, publish, makers: auth.makers })
    const changes = createReleaseChanges({
      ...{ store, database, content, schemas, auth },
      schedule: (tx, publication) => schedulePublication(tx, { jobs, kind }, publication),
    })
    contribute(jobKinds, kind)
    for (const route of releaseRoutes({ auth, store, changes, publish })) contribute(routes, route)
  },
})
