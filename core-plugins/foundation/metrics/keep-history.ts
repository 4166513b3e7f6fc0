import { appStart, type InitContext, repeat } from '../../../kernel/index.ts'
import type { Database } from '../database/database.ts'
import { type Http, requestObservers, routes } from '../http/http.ts'
import { createHistory, createUsage, type Minute, minuteMs } from './history.ts'
import { metricSources } from './metrics.ts'
import { type SummaryRouteParts, summaryRoute } from './summary-route.ts'

const topic = 'metrics.history'

type Context = InitContext<{ readonly database: Database; readonly http: Http }>

/** Records the last hour of this process, and serves it together with that of the other processes. */
export function keepHistory(
  context: Context,
  { scope, metrics }: Pick<SummaryRouteParts, 'scope' | 'metrics'>,
) {
  const { services, contribute, contributions, on, onDispose, log } = context
  const { cluster } = services.http
  const history = createHistory({ now: Date.now, usage: createUsage() })
  cluster.handle(topic, async () => {
    history.sample()
    return history.minutes()
  })
  contribute(requestObservers, history.observe)
  contribute(
    routes,
    summaryRoute({
      ...{ scope, metrics },
      minutes: async () => (await cluster.request(topic)) as (readonly Minute[])[],
      sources: () => contributions(metricSources),
    }),
  )
  on(appStart, () => {
    const sampling = repeat(history.sample, {
      everyMs: minuteMs,
      onError: (error) => log.warn({ err: error }, 'what the process uses could not be sampled'),
    })
    onDispose(sampling.stop)
  })
}
