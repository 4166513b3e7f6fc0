import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import { bulkWritesService, contentService, storedEntriesService } from '../../entries/content/content.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { policies, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { createItemChanges } from './item-changes.ts'
import { itemRoutes } from './item-routes.ts'
import { createItemStore } from './item-store.ts'
import { createPublish } from './publish.ts'
import { createReleaseChanges } from './release-changes.ts'
import { createReleaseCheck } from './release-check.ts'
import { createReleaseRights, releasePolicies } from './release-rights.ts'
import { createReleaseStore } from './release-store.ts'
import { releaseFailed, releasePublished, releasesService } from './releases.ts'
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
    storedEntries: storedEntriesService,
  },
  provides: [releasesService],
  hooks: [releasePublished, releaseFailed],

  register({ contribute }) {
    contribute(tables, releasesTable.spec)
    contribute(tables, releaseItemsTable.spec)
  },

  init({ services, provide, contribute, emit }) {
    const { auth, database, jobs, schemas } = services
    const store = createReleaseStore(database)
    const items = createItemStore(database)
    const rights = createReleaseRights(auth, schemas)
    const { scheduled, between } = store
    provide(releasesService, { scheduled, between, items: items.ofReleases, mayRead: rights.mayRead })
    // Unguarded, because the permission to publish is checked for all entries of a release before any is written.
    const parts = { ...services, store, items, rights, bulkWrites: services.bulkWrites.unguarded }
    const publish = createPublish({ ...parts, emit })
    const kind = createPublicationJob({ store, publish, makers: auth.makers })
    const changes = createReleaseChanges({
      ...{ ...parts, makers: auth.makers },
      schedule: (tx, publication) => schedulePublication(tx, { jobs, kind }, publication),
    })
    const check = createReleaseCheck({ ...parts, makers: auth.makers })
    contribute(jobKinds, kind)
    for (const policy of releasePolicies(rights)) contribute(policies, policy)
    for (const route of releaseRoutes({ ...parts, changes, publish, check })) contribute(routes, route)
    for (const route of itemRoutes(createItemChanges(parts))) contribute(routes, route)
  },
})
