/** What the service has in a Redis; a right to all that begins with the prefix covers it. */
export interface RedisNames {
  /** The prefix of the keys of BullMQ, without its colon. */
  readonly tickets: string
  /** The prefix of the counts of requests. */
  readonly rates: string
  /** The channel of signals. */
  readonly signals: string
}

export function redisNames(keyPrefix: string): RedisNames {
  return { tickets: `${keyPrefix}bull`, rates: `${keyPrefix}rate:`, signals: `${keyPrefix}signals` }
}
