import { appStart, definePlugin } from '../../../kernel/index.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { metricSources } from '../../foundation/metrics/metrics.ts'
import { createAlertStore } from './alert-store.ts'
import { type Alerts, alertRaised, alertsService } from './alerts.ts'
import { raiseFromHooks } from './raise-from-hooks.ts'
import { createAlertRoutes } from './routes.ts'
import { minFreeBytes } from './settings.ts'
import { alertsTable } from './tables.ts'
import { storageMetric, watchStorage } from './watch-storage.ts'

/** Conditions that need an operator's attention. */
export const alertsPlugin = definePlugin({
  name: 'alerts',
  description: 'Operational alerts: failed jobs and plugins, blocked schema changes, full disks',
  uses: { config: configService, database: databaseService },
  provides: [alertsService],
  hooks: [alertRaised],

  register({ contribute }) {
    contribute(settings, minFreeBytes)
    contribute(tables, alertsTable.spec)
  },

  init(context) {
    const { services, provide, contribute, emit, log, on, onDispose } = context
    const store = createAlertStore(services.database)
    const alerts: Alerts = {
      async raise(alert) {
        const { kind, severity, message, details } = alert
        log.warn({ kind, severity, details }, message)
        const raised = await store.raise(alert)
        if (raised !== undefined) await emit(alertRaised, raised)
      },
      resolve: (kind, subject) => store.resolveOpen(kind, subject),
    }
    provide(alertsService, alerts)
    raiseFromHooks(alerts, store, context)
    for (const route of createAlertRoutes(store)) contribute(routes, route)
    contribute(metricSources, storageMetric(services.config))
    on(appStart, () => onDispose(watchStorage(alerts, services.config, log)))
  },
})
