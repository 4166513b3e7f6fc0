/** The names that the service uses in Redis; a right to everything with the prefix covers them. */
export interface RedisNames {
  /** The prefix of the keys of BullMQ, without its colon. */
  readonly tickets: string
  /** The prefix of the rate limit's counters. */
  readonly rates: string
  /** The channel of signals. */
  readonly signals: string
}

export function redisNames(keyPrefix: string): RedisNames {
  return { tickets: `${keyPrefix}bull`, rates: `${keyPrefix}rate:`, signals: `${keyPrefix}signals` }
}
