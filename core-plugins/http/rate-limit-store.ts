import { type ExtensionPoint, extensionPoint } from '../../kernel/index.ts'

/** Counts requests for the rate limit. */
export interface RateLimitStore {
  /**
   * Counts one request of `key`; resolves with the count in the current window and the time at which the
   * window ends. If it rejects, this process counts by itself for a while.
   */
  hit(key: string, windowMs: number): RateLimitHit | Promise<RateLimitHit>
}

export interface RateLimitHit {
  readonly count: number
  readonly resetInMs: number
}

/**
 * Stores that count requests across all processes; the first one is used. Without any, each process counts by
 * itself.
 */
export const rateLimitStores: ExtensionPoint<RateLimitStore> = extensionPoint('rateLimitStores')
