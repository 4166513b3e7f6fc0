import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import { appStart, assertUniqueNames, definePlugin } from '../../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { databaseService } from '../database/database.ts'
import { authenticators, defineRoute, httpService, Reply, requestObservers, routes } from '../http/http.ts'
import { registerSources } from './gauges.ts'
import { keepHistory } from './keep-history.ts'
import { metricSources } from './metrics.ts'
import { processMetrics } from './process-metrics.ts'
import { createRequestMetrics } from './request-metrics.ts'
import { metricsToken } from './settings.ts'
import { createTokenAuthenticator } from './token-authenticator.ts'
import { createUnavailableCounts } from './unavailable-answers.ts'

const scope = 'admin:metrics:read'
const topic = 'metrics'

type MetricsOfProcess = MetricObjectWithValues<MetricValue<string>>[]

/** Metrics for an operator's Prometheus. */
export const metricsPlugin = definePlugin({
  name: 'metrics',
  description: 'Exports metrics to Prometheus: requests, connections, jobs, memory and the event loop',
  uses: { config: configService, database: databaseService, http: httpService },
  points: [metricSources],

  register({ contribute }) {
    contribute(settings, metricsToken)
  },

  async init(context) {
    const { services, contribute, contributions, on, log } = context
    const { config, database, http } = services
    // A CommonJS module, whose names are only in its default export once it is bundled.
    const { default: client } = await import('prom-client')
    const { AggregatorRegistry, Gauge, Registry } = client
    const registry = new Registry()
    const requests = createRequestMetrics()
    http.cluster.handle(topic, async () => [
      ...(await processMetrics(client).getMetricsAsJSON()),
      ...(await registry.getMetricsAsJSON()),
      requests.read(),
    ])
    const gather = async () =>
      AggregatorRegistry.aggregate((await http.cluster.request(topic)) as MetricsOfProcess[])
    const route = defineRoute({
      name: 'admin:metrics.read',
      tag: 'Metrics',
      method: 'GET',
      path: '/metrics',
      summary: 'Metrics of the processes that share the port, as Prometheus reads them',
      description:
        'For API tokens with `admin:*` or `admin:metrics:read`, administrators, and METRICS_TOKEN.',
      access: 'area',
      scope,
      load: 'always',
      isServedByEveryRole: true,
      rawResponse: registry.contentType,
      async handler() {
        const body = await (await gather()).metrics()
        const headers = { 'cache-control': 'no-store' }
        return new Reply(200, { kind: 'raw', body, mediaType: registry.contentType }, headers)
      },
    })
    contribute(routes, route)
    contribute(requestObservers, requests.observe)
    const unavailable = createUnavailableCounts()
    contribute(requestObservers, unavailable.observe)
    contribute(metricSources, unavailable.source)
    keepHistory(context, { scope, metrics: async () => (await gather()).getMetricsAsJSON() })
    contribute(authenticators, createTokenAuthenticator(config.get(metricsToken), route, scope), {
      before: ['auth'],
    })
    contribute(metricSources, {
      name: 'mortise_database_connections',
      help: 'Connections to the database, by use and state; waiting counts what waits for one',
      scope: 'process',
      labelNames: ['use', 'state'],
      read: () =>
        database.load().flatMap(({ use, open, busy, waiting }) =>
          Object.entries({ open, busy, waiting }).map(([state, value]) => ({
            labels: { use, state },
            value,
          })),
        ),
    })
    on(appStart, () => registerSources(contributions(metricSources), { registry, GaugeOfSource: Gauge, log }))
  },

  boot({ contributionsByPlugin }) {
    assertUniqueNames('metric', contributionsByPlugin(metricSources))
  },
})
