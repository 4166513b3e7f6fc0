import { appStart, assertUniqueNames, definePlugin, type Placement } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { alertsService } from '../../background/alerts/alerts.ts'
import { auditService } from '../../background/audit/audit.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import { defineSchedule, schedules, schedulesService } from '../../background/schedules/schedules.ts'
import { deletionHolds, mediaService } from '../../delivery/media/media.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemaCheckService, schemasService } from '../../foundation/schemas/schemas.ts'
import { restoreSteps, type Sections } from '../../foundation/sections/sections.ts'
import { signalsService } from '../../foundation/signals/signals.ts'
import { threadsService } from '../../foundation/threads/threads.ts'
import { runtimeConfigService } from '../runtime-config/runtime-config.ts'
import { backupOperationsService } from './backup-operations.ts'
import { scheduleName } from './backup-schedule.ts'
import { archiveStores, backupRestored, backupsService, backupTables } from './backups.ts'
import { composeBackups } from './compose-backups.ts'
import { openLocalArchives } from './files/local-archives.ts'
import { backupSettings, backupsDirectory } from './settings.ts'
import { backupsTable, restoresTable, scheduleTable } from './tables.ts'

/** Before anything can request a backup. */
const openEarly: Placement = { step: 'open', before: ['*'] }

const signalTopic = 'backups:restored'

const everything: Sections = { schemas: true, components: true, config: true, content: true, media: true }

/** Backups of the content, each a snapshot of one moment, restorable into any database. */
export const backupsPlugin = definePlugin({
  name: 'backups',
  description: 'Backs up content, media, settings and schemas, by hand and by schedule, and restores them',
  uses: {
    auth: authService,
    config: configService,
    database: databaseService,
    jobs: jobsService,
    schemaCheck: schemaCheckService,
    schemas: schemasService,
    threads: threadsService,
  },
  usesIfPresent: {
    alerts: alertsService,
    audit: auditService,
    media: mediaService,
    runtimeConfig: runtimeConfigService,
    schedules: schedulesService,
    signals: signalsService,
  },
  provides: [backupsService, backupOperationsService],
  points: [archiveStores, backupTables, restoreSteps],
  hooks: [backupRestored],

  register({ contribute }) {
    for (const setting of backupSettings) contribute(settings, setting)
    for (const table of [backupsTable, restoresTable, scheduleTable]) contribute(tables, table.spec)
  },

  init(context) {
    const { services, contribute, contributions, provide, emit, on, onDispose } = context
    const parts = composeBackups(context, async (restored) => {
      services.signals?.send(signalTopic)
      await emit(backupRestored, restored)
    })
    provide(backupsService, parts.backups)
    provide(backupOperationsService, parts.operations)
    for (const kind of parts.jobKinds) contribute(jobKinds, kind)
    for (const route of parts.routes) contribute(routes, route)
    contribute(deletionHolds, parts.deletionHold)
    const { scheduled, cleanup } = parts.schedules
    contribute(
      schedules,
      defineSchedule({
        name: scheduleName,
        kind: scheduled,
        payload: {},
        cronExpression: '0 3 * * *',
        enabled: false,
      }),
    )
    contribute(
      schedules,
      defineSchedule({ name: 'backup.cleanup', kind: cleanup, payload: {}, cronExpression: '17 * * * *' }),
    )
    contribute(archiveStores, {
      type: 'local',
      open: () => openLocalArchives(backupsDirectory(services.config)),
    })
    on(appStart, () => parts.open(contributions(archiveStores)), openEarly)
    on(appStart, () => {
      void parts.checkStore()
      const stop = services.signals?.onSignal(signalTopic, () => {
        void emit(backupRestored, { sections: everything })
      })
      if (stop !== undefined) onDispose(stop)
    })
  },

  boot({ contributionsByPlugin }) {
    assertUniqueNames('archive store', contributionsByPlugin(archiveStores))
  },
})
