import { setTimeout as pause } from 'node:timers/promises'
import type { Sender } from '../../foundation/outgoing/outgoing.ts'
import type { CdnAccess, PurgeOrder, Purger } from './cdn.ts'
import type { Pace } from './pace.ts'
import { planCalls } from './plan-calls.ts'
import type { Purge, Tags } from './tags.ts'

export interface PurgeSenderParts {
  readonly sender: Sender
  readonly purger: Purger
  readonly access: CdnAccess
  readonly pace: Pace
  readonly tags: Tags
}

/** The time limit per call. */
const timeoutMs = 10_000
/** Longer waits are ignored, since readers would get outdated responses throughout. */
const maxRetryAfterMs = 10 * 60_000

/** Sends the calls of a purge within the rate limit of the CDN. @throws Error if the CDN refuses a call */
export async function sendPurge(
  purge: Purge,
  position: string,
  signal: AbortSignal,
  parts: PurgeSenderParts,
): Promise<void> {
  const { pace, purger, tags } = parts
  for (const call of planCalls(purge, tags, purger, pace.left)) {
    while (pace.waitMs > 0) await pause(pace.waitMs, undefined, { signal })
    pace.take()
    await send({ ...call, position }, signal, parts)
  }
}

async function send(
  order: PurgeOrder,
  signal: AbortSignal,
  { sender, purger, access, pace }: PurgeSenderParts,
) {
  const { method, url, headers, body } = purger.call(order, access)
  const message = { body: Buffer.from(body), headers: { 'user-agent': 'mortise-cdn', ...headers } }
  const { error, responseHeaders } = await sender.send({ url, method, message, timeoutMs, signal })
  if (error === null) return
  pace.rest(retryAfterMs(responseHeaders?.['retry-after']))
  throw new Error(`${purger.name} was not purged: ${error}`)
}

/** The value of `Retry-After` in milliseconds, from seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(told: string | undefined): number {
  if (told === undefined) return 0
  const ms = /^\d+$/.test(told) ? Number(told) * 1_000 : Date.parse(told) - Date.now()
  return Number.isNaN(ms) ? 0 : Math.min(maxRetryAfterMs, Math.max(0, ms))
}
