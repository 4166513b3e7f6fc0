import type client from 'prom-client'

let registry: client.Registry | undefined

/**
 * Metrics of the process: memory, garbage collection, event loop delays. Services that run one after the other in a
 * process share them, since the measurement cannot be stopped.
 */
export function processMetrics({ Registry, collectDefaultMetrics }: typeof client): client.Registry {
  if (registry === undefined) {
    registry = new Registry()
    collectDefaultMetrics({ register: registry })
  }
  return registry
}
