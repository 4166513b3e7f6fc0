import type client from 'prom-client'

let registry: client.Registry | undefined

/**
 * What Node.js tells of the process: memory, garbage collection, delays of the event loop. Services that run one after the other
 * in a process share it, since what measures it cannot be ended.
 */
export function processMetrics({ Registry, collectDefaultMetrics }: typeof client): client.Registry {
  if (registry === undefined) {
    registry = new Registry()
    collectDefaultMetrics({ register: registry })
  }
  return registry
}
