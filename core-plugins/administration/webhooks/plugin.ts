import { appStart, assertUniqueNames, definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { alertsService } from '../../background/alerts/alerts.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import { schedules } from '../../background/schedules/schedules.ts'
import { contentService, contentWriteMiddleware } from '../../entries/content/content.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { metricSources } from '../../foundation/metrics/metrics.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { transferSections } from '../../foundation/sections/sections.ts'
import { signalsService } from '../../foundation/signals/signals.ts'
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
    // Outermost, so that it sees the final state of the entry.
    contribute(contentWriteMiddleware, parts.stage, { before: ['*', 'revisions'] })
    contribute(metricSources, deliveryMetrics(context.services.database))
    // Before the HTTP server listens.
    on(appStart, () => parts.start(), { step: 'load', before: ['*'] })
    onDispose(() => parts.stop())
  },

  boot({ contributionsByPlugin }) {
    assertUniqueNames('webhook event', contributionsByPlugin(webhookEvents))
  },
})
