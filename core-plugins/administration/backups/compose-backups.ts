import { resolve } from 'node:path'
import type { InitContext } from '../../../kernel/index.ts'
import serviceManifest from '../../../package.json' with { type: 'json' }
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Alerts } from '../../background/alerts/alerts.ts'
import type { Audit } from '../../background/audit/audit.ts'
import type { JobKind, Jobs } from '../../background/jobs/jobs.ts'
import type { Schedules } from '../../background/schedules/schedules.ts'
import type { DeletionHold, Media } from '../../delivery/media/media.ts'
import type { Config } from '../../foundation/config/config.ts'
import { type Database, tables as declaredTables } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import { type SchemaCheck, type Schemas, schemasDir } from '../../foundation/schemas/schemas.ts'
import { restoreSteps, type Sections } from '../../foundation/sections/sections.ts'
import type { Signals } from '../../foundation/signals/signals.ts'
import type { Threads } from '../../foundation/threads/threads.ts'
import type { RuntimeConfig } from '../runtime-config/runtime-config.ts'
import {
  createBackupJob,
  createCleanupJob,
  createRestoreJob,
  createScheduledJob,
  type JobDeps,
} from './backup-jobs.ts'
import { createBackupOperations } from './backup-operations.ts'
import { type BackupSchedule, createBackupSchedule } from './backup-schedule.ts'
import { createBackupStore } from './backup-store.ts'
import { type Backups, backupTables, type NewBackup } from './backups.ts'
import { type Catalog, createCatalog } from './catalog.ts'
import type { ArchiveStore, ArchiveStoreKind } from './files/archive-store.ts'
import { createArchives } from './files/archives.ts'
import { openConfiguredArchives } from './files/open-archives.ts'
import { createWorkFolder } from './files/work-folder.ts'
import { createInspector } from './restore/inspect.ts'
import { createSchemaFiles } from './restore/schema-files.ts'
import { createRestoreStore } from './restore-store.ts'
import { assertCompleted, createBackupRoutes } from './routes.ts'
import { createSectionRights, type SectionRights } from './section-rights.ts'
import { type SectionTable, sectionTables } from './section-tables.ts'
import { archiveLimits, backupsDirectory } from './settings.ts'

export interface BackupServices {
  readonly auth: Auth
  readonly config: Config
  readonly database: Database
  readonly jobs: Jobs
  readonly schemaCheck: SchemaCheck
  readonly schemas: Schemas
  readonly threads: Threads
  readonly alerts?: Alerts | undefined
  readonly audit?: Audit | undefined
  readonly media?: Media | undefined
  readonly runtimeConfig?: RuntimeConfig | undefined
  readonly schedules?: Schedules | undefined
  readonly signals?: Signals | undefined
}

type Restored = JobDeps['onRestored']

/** Assembles the parts of the plugin. */
export function composeBackups(context: InitContext<BackupServices>, onRestored: Restored) {
  const { services, log } = context
  const { auth, config, database, jobs } = services
  const parts = composeParts(context)
  const { archives, available, inspector, restores, rights, schedule, store, tables, work } = parts
  const deps = jobDepsOf(context, parts, onRestored)
  const createJob = createBackupJob(deps)
  const restoreJob = createRestoreJob(deps)
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
      assertCompleted(await catalog.ended(await catalog.request(backup), signal)),
  }
  const upload = { config, archives, store, inspector, tables }
  const deletionHold: DeletionHold = {
    isHeld: async () => (await store.isAnyRunning()) || (await restores.active()) !== undefined,
  }
  return {
    ...{
      backups,
      deletionHold,
      operations: createBackupOperations({ ...{ auth, archives, catalog, inspector }, upload }),
    },
    async open(kinds: readonly ArchiveStoreKind[]) {
      parts.opened.archives = await openConfiguredArchives(config, kinds)
      await work
        .removeLeftoversAtStart()
        .catch((error) => log.warn({ err: error }, 'failed to remove unfinished backup files'))
    },
    /** The service starts anyway: only backups depend on it. */
    async checkStore() {
      await assertOpen(parts.opened.archives)
        .check?.()
        .catch((error) => log.error({ err: error }, 'backups cannot be stored at present'))
    },
    schedules: { scheduled, cleanup },
    jobKinds: [createJob, restoreJob, scheduled, cleanup] as unknown as JobKind[],
    routes: createBackupRoutes({
      ...{ auth, archives, catalog, inspector, schedule, rights },
      schedules: services.schedules,
      upload,
    }),
  }
}

type Parts = ReturnType<typeof composeParts>

/** The dependencies of jobs and routes. */
function composeParts(context: InitContext<BackupServices>) {
  const { auth, config, database, media, runtimeConfig, schemaCheck, threads } = context.services
  const available: Sections = {
    ...{ schemas: true, components: true, content: true },
    config: runtimeConfig !== undefined,
    media: media !== undefined,
  }
  const work = createWorkFolder(backupsDirectory(config))
  const opened: { archives?: ArchiveStore } = {}
  const schemaFiles = createSchemaFiles(resolve(config.workingDirectory, config.get(schemasDir)), schemaCheck)
  const tables = knownTables(context)
  const limits = () => archiveLimits(config)
  return {
    ...{ available, limits, opened, schemaFiles, tables, work },
    archives: createArchives({ work, store: () => assertOpen(opened.archives) }),
    inspector: createInspector({ database, threads, schemaFiles, tables, available, limits }),
    restores: createRestoreStore(database),
    rights: createSectionRights(auth),
    schedule: createBackupSchedule(database, available),
    store: createBackupStore(database),
  }
}

function jobDepsOf(context: InitContext<BackupServices>, parts: Parts, onRestored: Restored): JobDeps {
  const { services, log } = context
  const { alerts, auth, audit, database, jobs, media, runtimeConfig, threads } = services
  const { archives, inspector, limits, restores, rights, schemaFiles, store, tables } = parts
  return {
    ...{ store, restores, archives, alerts, onRestored },
    pack: {
      ...{ database, threads, media, schemaFiles, limits, log, tables },
      serviceVersion: serviceManifest.version,
    },
    restore: () => ({
      ...{ database, auth, jobs, media, runtimeConfig, audit, schemaFiles, inspector, restores, rights },
      ...{ backups: store, archives, tables },
      steps: () => context.contributions(restoreSteps),
    }),
  }
}

function assertOpen(store: ArchiveStore | undefined): ArchiveStore {
  if (store !== undefined) return store
  throw new Error('the storage of backups is not open before the service starts')
}

/** Runs with the current rights of the maker of the schedule. @throws AppError 403 */
async function scheduledBackup(
  schedule: BackupSchedule,
  { auth, rights }: { readonly auth: Auth; readonly rights: SectionRights },
): Promise<NewBackup> {
  const { retentionDays, sections, madeBy } = await schedule.contents()
  const maker = await auth.makers.find(madeBy)
  if (maker === undefined) {
    throw AppError.forbidden('whoever set the backup schedule is blocked or gone; save it anew')
  }
  rights.assertReader(auth.makers.behind(maker), sections)
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
      declared: contributions(declaredTables),
      contributed: contributions(backupTables),
    })
    return known
  }
}
