import { appStart, definePlugin } from '../../../kernel/index.ts'
import { alertsService } from '../../background/alerts/alerts.ts'
import { readGates } from '../../entries/content/content.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService } from '../../foundation/database/database.ts'
import { admissions } from '../../foundation/http/http.ts'
import { metricSources } from '../../foundation/metrics/metrics.ts'
import { createAdmission } from './admission.ts'
import { OverloadControl } from './overload-control.ts'
import { overloadMetrics } from './overload-metrics.ts'
import { overloadSettings } from './settings.ts'

/** Refuses anonymous requests while the service is overloaded. */
export const overloadPlugin = definePlugin({
  name: 'overload',
  description: 'Refuses requests without an account under overload, dear reads first',
  uses: { config: configService, database: databaseService },
  usesIfPresent: { alerts: alertsService },

  register({ contribute }) {
    for (const setting of overloadSettings) contribute(settings, setting)
  },

  init({ services, contribute, log, on, onDispose }) {
    const overload = new OverloadControl({ ...services, log })
    contribute(admissions, createAdmission(overload.shedder))
    contribute(readGates, overload.gate)
    for (const source of overloadMetrics(overload.shedder)) contribute(metricSources, source)
    on(appStart, () => overload.start())
    onDispose(() => overload.stop())
  },
})
