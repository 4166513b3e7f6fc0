import { appStart, assertUniqueNames, definePlugin, type Placement, repeat } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { alertsService } from '../../background/alerts/alerts.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import {
  contentQueriesService,
  contentService,
  contentWriteMiddleware,
  referenceChecks,
  shownValues,
  storedEntriesService,
} from '../../entries/content/content.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import {
  databaseService,
  StepKeeper,
  schemaRecordService,
  tables,
} from '../../foundation/database/database.ts'
import { httpService, readinessChecks, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { restoreSteps } from '../../foundation/sections/sections.ts'
import { threadsService } from '../../foundation/threads/threads.ts'
import { graphqlFeatures } from '../graphql/graphql.ts'
import { composeMedia, localStorageKind } from './compose-media.ts'
import { formerFilesTable } from './files/former-files.ts'
import { basesTable } from './files/known-bases.ts'
import { pendingFilesTable } from './files/pending-files.ts'
import {
  deletionHolds,
  fileRemovals,
  mediaDeleted,
  mediaService,
  mediaUpdated,
  mediaUploaded,
} from './media.ts'
import { localStorage, mediaSettings, storageType } from './settings.ts'
import { stateTable } from './state.ts'
import { mediaStorages } from './storage.ts'
import { usagesTable } from './usages/usage-store.ts'

/** Before the start of jobs and requests, which need the storage. */
const openEarly: Placement = { step: 'open', before: ['*'] }

const maintenanceEveryMs = 10 * 60_000

/** Files: uploads, thumbnails, folders, and usages in entries. */
export const mediaPlugin = definePlugin({
  name: 'media',
  description: 'The media library: uploads, thumbnails, folders, and the files themselves',
  uses: {
    auth: authService,
    config: configService,
    content: contentService,
    contentQueries: contentQueriesService,
    storedEntries: storedEntriesService,
    database: databaseService,
    http: httpService,
    jobs: jobsService,
    schemaRecord: schemaRecordService,
    schemas: schemasService,
    threads: threadsService,
  },
  usesIfPresent: { alerts: alertsService },
  provides: [mediaService],
  points: [mediaStorages, deletionHolds, fileRemovals],
  hooks: [mediaUploaded, mediaUpdated, mediaDeleted],

  register({ contribute }) {
    for (const setting of mediaSettings) contribute(settings, setting)
    for (const table of [usagesTable, pendingFilesTable, basesTable, formerFilesTable, stateTable])
      contribute(tables, table.spec)
  },

  init(context) {
    const { contribute, contributions, provide, on, log, onDispose } = context
    const parts = composeMedia(context)
    provide(mediaService, parts.media)
    contribute(mediaStorages, localStorageKind(context.services.config))
    for (const kind of parts.jobKinds) contribute(jobKinds, kind)
    contribute(referenceChecks, parts.kindCheck)
    contribute(shownValues, parts.shown)
    for (const stage of parts.stages) contribute(contentWriteMiddleware, stage)
    for (const route of parts.routes) contribute(routes, route)
    contribute(graphqlFeatures, parts.feature)
    contribute(restoreSteps, async (tx) => parts.afterRestore(tx))
    contribute(readinessChecks, { name: 'storage of files', check: () => parts.room.assertRoom() })
    contribute(readinessChecks, {
      ...{ name: 'access to files', concerns: 'part' },
      check: () => parts.watch.assertWorking(),
    })
    on(appStart, () => parts.open(contributions(mediaStorages)), openEarly)
    const { database, schemaRecord: record } = context.services
    const keeper = new StepKeeper({
      // Newer than the table of usages: if it was missing, a version ran that did not index files in texts.
      ...{ record, table: formerFilesTable.name, log, againMs: 300_000 },
      onMissed: () => database.transaction((tx) => parts.media.reindexUsages(tx)),
    })
    onDispose(() => keeper.stop())
    on(appStart, async () => {
      await parts.start()
      if (context.services.config.get(storageType) !== localStorage) parts.watch.try()
      await keeper.start()
      const maintenance = repeat(parts.removeLeftovers, {
        everyMs: maintenanceEveryMs,
        onError: (error) => log.warn({ err: error }, 'abandoned uploads could not be removed; trying again'),
      })
      onDispose(maintenance.stop)
      maintenance.runNow()
    })
    onDispose(parts.close)
    return parts
  },

  async boot({ contributionsByPlugin, state }) {
    assertUniqueNames('storage', contributionsByPlugin(mediaStorages))
    await state.findKnownBases()
  },
})
