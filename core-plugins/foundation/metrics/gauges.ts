import type { Gauge, Registry } from 'prom-client'
import type { Log } from '../../../kernel/index.ts'
import type { MetricSource } from './metrics.ts'

/** Creates a gauge for each source, which is read when the metrics are requested. */
export function registerSources(
  sources: readonly MetricSource[],
  { registry, GaugeOfSource, log }: { registry: Registry; GaugeOfSource: typeof Gauge; log: Log },
): void {
  for (const { name, help, labelNames = [], scope, read } of sources) {
    new GaugeOfSource({
      name,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      aggregator: scope === 'service' ? 'first' : 'sum',
      async collect() {
        this.reset()
        try {
          for (const { labels = {}, value } of await read()) this.set(labels, value)
        } catch (error) {
          log.warn({ metric: name, err: error }, `the metric ${name} could not be read`)
        }
      },
    })
  }
}
