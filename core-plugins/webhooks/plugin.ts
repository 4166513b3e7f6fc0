import { appStart, assertUniqueNames, definePlugin } from '../../kernel/index.ts'
import { alertsService } from '../alerts/alerts.ts'
import { authService } from '../auth/auth.ts'
import { configService, settings } from '../config/config.ts'
import { contentService, contentWriteMiddleware } from '../content/content.ts'
import { databaseService, tables } from '../database/database.ts'
import { routes } from '../http/http.ts'
import { jobKinds, jobsService } from '../jobs/jobs.ts'
import { metricSources } from '../metrics/metrics.ts'
import { schedules } from '../schedules/schedules.ts'
import { schemasService } from '../schemas/schemas.ts'
import { transferSections } from '../sections/sections.ts'
import { signalsService } from '../signals/signals.ts'
import { composeWebhooks } from './compose-webhooks.ts'
import { deliveryMetrics } from './delivery-metrics.ts'
import { webhookEvents } from './plugin-events.ts'
import { webhookSettings } from './settings.ts'
import { webhookTables } from './tables.ts'
import { webhookEventsService } from './webhooks.ts'

/** Notifies other systems of content changes, durably and signed. */
export const webhooksPlugin = definePlugin({
  name: 'webhooks',
  description:
    'Tells other systems of changes of content: signed, retried, with a log and a dead-letter list',
  uses: {
    auth: authService,
    config: configService,
    database: databaseService,
    schemas: schemasService,
    jobs: jobsService,
  },
  provides: [webhookEventsService],
  usesIfPresent: { content: contentService, alerts: alertsService, signals: signalsService },
  points: [webhookEvents],

  register({ contribute }) {
    for (const setting of webhookSettings) contribute(settings, setting)
    for (const table of webhookTables) contribute(tables, table)
  },

  init(context) {
    const { contribute, provide, on, onDispose } = context
    const parts = composeWebhooks(context)
    provide(webhookEventsService, parts.events)
    for (const kind of parts.jobKinds) contribute(jobKinds, kind)
    contribute(schedules, parts.schedule)
    contribute(transferSections, parts.section)
    for (const route of parts.routes) contribute(routes, route)
    // Outermost, so that it sees the entry as the other stages leave it.
    contribute(contentWriteMiddleware, parts.stage, { before: ['*', 'revisions'] })
    contribute(metricSources, deliveryMetrics(context.services.database))
    // Before HTTP listens.
    on(appStart, () => parts.start(), { step: 'load', before: ['*'] })
    onDispose(() => parts.stop())
  },

  boot({ contributionsByPlugin }) {
    assertUniqueNames('webhook event', contributionsByPlugin(webhookEvents))
  },
})
