import { appStart, definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { alertsService } from '../../background/alerts/alerts.ts'
import { answerValidityService, changeLogService } from '../../entries/changes/changes.ts'
import { contentService } from '../../entries/content/content.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { storedValuesChanged } from '../../foundation/database/database.ts'
import { answerKeepers, httpService, routes } from '../../foundation/http/http.ts'
import { metricSources } from '../../foundation/metrics/metrics.ts'
import { composeCache } from './compose-cache.ts'
import { auditEvery, maxBytes, maxStalenessMs, staleIfDown, statusHeader } from './settings.ts'

/** Caches responses to repeated reads, and never returns outdated ones. */
export const cachePlugin = definePlugin({
  name: 'cache',
  description: 'Answers reads that repeat from memory while nothing that they depend on has changed',
  uses: {
    auth: authService,
    changeLog: changeLogService,
    config: configService,
    content: contentService,
    http: httpService,
    validity: answerValidityService,
  },

  usesIfPresent: { alerts: alertsService },

  register({ contribute }) {
    for (const setting of [maxStalenessMs, staleIfDown, maxBytes, statusHeader, auditEvery])
      contribute(settings, setting)
  },

  init(context) {
    const { contribute, contributions, on, services } = context
    const parts = composeCache(context)
    contribute(answerKeepers, parts.keeper)
    for (const route of parts.routes) contribute(routes, route)
    for (const source of parts.metrics) contribute(metricSources, source)
    on(storedValuesChanged, parts.forget)
    on(appStart, () => {
      // It is unknown which settings a read depends on, so any change clears the cache; such changes are rare.
      for (const setting of contributions(settings)) services.config.onChange(setting, parts.forget)
    })
  },
})
