import {
  configService,
  contentWriteMiddleware,
  databaseService,
  defineExtension,
  entryCreated,
  entryDeleted,
  entryUpdated,
  fallbacks,
  graphqlExtensions,
  httpService,
  jobKinds,
  routes,
  schedules,
  schemaFolders,
  schemasService,
  settings,
  signalsService,
  tables,
  webhookEvents,
  webhookEventsService,
} from 'mortise/plugin'
import { pruneJob, pruneSchedule } from './daily-job.ts'
import { redirectFallback } from './fallback.ts'
import { redirectFields } from './graphql-fields.ts'
import { createHits, hitsTable } from './hits.ts'
import { hitsRoute } from './hits-route.ts'
import { loopFound } from './loop-event.ts'
import { createRuleIndex } from './rule-index.ts'
import { createRuleStore, ruleType } from './rule-store.ts'
import { cacheSeconds } from './settings.ts'
import { validateRules } from './validate.ts'

export default defineExtension({
  name: 'redirects',
  displayName: 'Redirects',
  description: 'Sends visitors of old addresses to new ones',
  version: '1.0.0',
  engines: { mortise: '>=0.1.0' },
  uses: { config: configService, database: databaseService, http: httpService, schemas: schemasService },
  usesIfPresent: { signals: signalsService, events: webhookEventsService },

  register({ contribute }) {
    contribute(schemaFolders, { folder: new URL('./schemas/', import.meta.url) })
    contribute(settings, cacheSeconds)
    contribute(tables, hitsTable.spec)
    contribute(webhookEvents, loopFound)
  },

  init({ services, contribute, on, log }) {
    const { config, database, http, schemas, signals, events } = services
    const rules = createRuleStore(database, schemas)
    const index = createRuleIndex({ rules, signals, log })
    const hits = createHits(database, log)
    const job = pruneJob({ database, rules, hits, events })
    contribute(contentWriteMiddleware, validateRules(rules, http.apiPrefix))
    contribute(fallbacks, redirectFallback({ index, hits, maxAge: () => config.get(cacheSeconds) }))
    contribute(graphqlExtensions, redirectFields(index))
    contribute(routes, hitsRoute(hits))
    contribute(jobKinds, job)
    contribute(schedules, pruneSchedule(job))
    for (const hook of [entryCreated, entryUpdated, entryDeleted]) {
      on(hook, ({ contentType }) => (contentType === ruleType ? index.changed() : undefined))
    }
    return { index, hits }
  },

  boot: ({ state: { index } }) => index.start(),

  async destroy({ state }) {
    state?.index.stop()
    await state?.hits.stop()
  },
})
