import { resolve } from 'node:path'
import type { InitContext } from '../../kernel/index.ts'
import serviceManifest from '../../package.json' with { type: 'json' }
import type { Alerts } from '../alerts/alerts.ts'
import type { Audit } from '../audit/audit.ts'
import type { Auth } from '../auth/auth.ts'
import type { Config } from '../config/config.ts'
import { type Database, tables } from '../database/database.ts'
import { AppError } from '../http/http.ts'
import type { JobKind, Jobs } from '../jobs/jobs.ts'
import type { DeletionHold, Media } from '../media/media.ts'
import type { RuntimeConfig } from '../runtime-config/runtime-config.ts'
import type { Schedules } from '../schedules/schedules.ts'
import { type Schemas, schemasDir } from '../schemas/schemas.ts'
import type { Signals } from '../signals/signals.ts'
import type { Workers } from '../workers/workers.ts'
import {
  createBackupJob,
  createCleanupJob,
  createRestoreJob,
  createScheduledJob,
  type JobScope,
} from './backup-jobs.ts'
import { type BackupSchedule, createBackupSchedule } from './backup-schedule.ts'
import { createBackupStore } from './backup-store.ts'
import { type Backups, backupTables, type NewBackup, restoreSteps, type Sections } from './backups.ts'
import { type Catalog, createCatalog } from './catalog.ts'
import type { ArchiveStore, ArchiveStoreKind } from './files/archive-store.ts'
import { createArchives } from './files/archives.ts'
import { openConfiguredArchives } from './files/open-archives.ts'
import { createWorkFolder } from './files/work-folder.ts'
import { createInspector } from './restore/inspect.ts'
import { createSchemaFiles } from './restore/schema-files.ts'
import { createRestoreStore } from './restore-store.ts'
import { createBackupRoutes, requireCompleted } from './routes.ts'
import { createSectionRights, type SectionRights } from './section-rights.ts'
import { type SectionTable, sectionTables } from './section-tables.ts'
import { archiveLimits, backupsDirectory } from './settings.ts'

export interface BackupServices {
  readonly auth: Auth
  readonly config: Config
  readonly database: Database
  readonly jobs: Jobs
  readonly schemas: Schemas
  readonly workers: Workers
  readonly alerts?: Alerts | undefined
  readonly audit?: Audit | undefined
  readonly media?: Media | undefined
  readonly runtimeConfig?: RuntimeConfig | undefined
  readonly schedules?: Schedules | undefined
  readonly signals?: Signals | undefined
}

type Restored = JobScope['onRestored']

/** Puts the parts of the plugin together. */
export function composeBackups(context: InitContext<BackupServices>, onRestored: Restored) {
  const { services, log } = context
  const { alerts, auth, audit, config, database, jobs, media, runtimeConfig, workers } = services
  const available: Sections = {
    ...{ schemas: true, components: true, content: true },
    config: runtimeConfig !== undefined,
    media: media !== undefined,
  }
  const work = createWorkFolder(backupsDirectory(config))
  const opened: { archives?: ArchiveStore } = {}
  const archives = createArchives({ work, store: () => expectOpen(opened.archives) })
  const schemaFiles = createSchemaFiles(resolve(config.workingDirectory, config.get(schemasDir)))
  const store = createBackupStore(database)
  const restores = createRestoreStore(database)
  const rights = createSectionRights(auth)
  const schedule = createBackupSchedule(database, available)
  const tablesOf = knownTables(context)
  const limits = () => archiveLimits(config)
  const inspector = createInspector({
    ...{ database, workers, schemaFiles, available, limits },
    tables: tablesOf,
  })

  const scope: JobScope = {
    ...{ store, restores, archives, alerts, onRestored },
    pack: {
      ...{ database, workers, media, schemaFiles, limits, log },
      tables: tablesOf,
      serviceVersion: serviceManifest.version,
    },
    restore: () => ({
      ...{ database, auth, jobs, media, runtimeConfig, audit, schemaFiles, inspector, restores, rights },
      ...{ backups: store, archives },
      tables: tablesOf,
      steps: () => context.contributions(restoreSteps),
    }),
  }
  const createJob = createBackupJob(scope)
  const restoreJob = createRestoreJob(scope)
  const catalog: Catalog = createCatalog({
    ...{ database, jobs, store, restores, archives, available, createJob, restoreJob },
  })
  const scheduled = createScheduledJob(
    () => catalog,
    () => scheduledBackup(schedule, { auth, rights }),
  )
  const cleanup = createCleanupJob(() => catalog, archives)
  const backups: Backups = {
    create: async (backup, signal) =>
      requireCompleted(await catalog.ended(await catalog.request(backup), signal)),
  }
  const deletionHold: DeletionHold = {
    isHeld: async () => (await store.isAnyRunning()) || (await restores.active()) !== undefined,
  }
  return {
    ...{ backups, deletionHold },
    async open(kinds: readonly ArchiveStoreKind[]) {
      opened.archives = await openConfiguredArchives(config, kinds)
      await work
        .sweepAtStart()
        .catch((error) => log.warn({ err: error }, 'unfinished files of backups could not be removed'))
    },
    /** The service starts all the same: nothing but backups needs them. */
    async checkStore() {
      await expectOpen(opened.archives)
        .check?.()
        .catch((error) => log.error({ err: error }, 'backups cannot be kept at present'))
    },
    schedules: { scheduled, cleanup },
    jobKinds: [createJob, restoreJob, scheduled, cleanup] as unknown as JobKind[],
    routes: createBackupRoutes({
      ...{ auth, archives, catalog, inspector, schedule, rights },
      schedules: services.schedules,
      upload: { config, archives, store, inspector, tables: tablesOf },
    }),
  }
}

function expectOpen(store: ArchiveStore | undefined): ArchiveStore {
  if (store !== undefined) return store
  throw new Error('where backups are kept is known once the service starts')
}

/** With the rights that whoever set the schedule has by now. @throws AppError 403 */
async function scheduledBackup(
  schedule: BackupSchedule,
  { auth, rights }: { readonly auth: Auth; readonly rights: SectionRights },
): Promise<NewBackup> {
  const { retentionDays, sections, madeBy } = await schedule.contents()
  const maker = await auth.makers.find(madeBy)
  if (maker === undefined) {
    throw AppError.forbidden('whoever set the backup schedule is blocked or gone; save it anew')
  }
  rights.requireReader(auth.makers.behind(maker), sections)
  const name = `Scheduled backup ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`
  return { name, retentionDays, sections }
}

/** Complete once all plugins are initialised. */
function knownTables({
  services,
  contributions,
}: InitContext<BackupServices>): () => readonly SectionTable[] {
  let known: readonly SectionTable[] | undefined
  return () => {
    known ??= sectionTables({
      schemas: services.schemas,
      declared: contributions(tables),
      contributed: contributions(backupTables),
    })
    return known
  }
}
