import {
  type ContributionOf,
  type ExtensionPoint,
  extensionPoint,
  PluginFault,
} from '../../../../kernel/index.ts'

/** Counts requests for the rate limit. */
export interface RateLimitStore {
  /**
   * Counts one request of `key`; resolves with the count in the current window and the time at which the
   * window ends. If it rejects, this process counts by itself for a while.
   */
  hit(key: string, windowMs: number): RateLimitHit | Promise<RateLimitHit>
}

/** How many requests of a key there were in the current window, and when that ends, in milliseconds. */
export interface RateLimitHit {
  readonly count: number
  readonly resetInMs: number
}

/** The store that counts requests across all processes; at most one. Without it, each process counts by itself. */
export const rateLimitStores: ExtensionPoint<RateLimitStore> = extensionPoint('rateLimitStores')

/** @throws PluginFault blaming the plugin that brings the second one */
export function assertOneRateLimitStore(stores: readonly ContributionOf<RateLimitStore>[]): void {
  const [first, second] = stores
  if (first === undefined || second === undefined) return
  const message = `the rate limit store already exists, from ${first.plugin}; use one of the two`
  throw new PluginFault(second.plugin, new Error(message))
}
