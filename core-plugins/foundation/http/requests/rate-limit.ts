import { type Awaitable, andThen, type Log } from '../../../../kernel/index.ts'
import { AppError } from '../answers/app-error.ts'
import { clientOf } from './client-address.ts'
import type { RateLimitHit, RateLimitStore } from './rate-limit-store.ts'
import type { IncomingRequest } from './request.ts'

/*
 * Hand-written: the usual library answers with promises, creates a timer per client, and uses windows of
 * whole seconds on Redis. Here, counting in memory stays in the stack of the request, windows are in
 * milliseconds and follow the settings, and a hanging Redis delays one request a second instead of all of
 * them.
 */

/** Counts in the memory of this process. */
export function createMemoryStore(now: () => number = Date.now): RateLimitStore {
  const windows = new Map<string, { count: number; endsAt: number }>()
  let removalDueAt = 0
  const removeEnded = (time: number, windowMs: number) => {
    if (time < removalDueAt) return
    removalDueAt = time + windowMs
    for (const [key, window] of windows) if (window.endsAt <= time) windows.delete(key)
  }
  return {
    hit(key, windowMs) {
      const time = now()
      removeEnded(time, windowMs)
      let window = windows.get(key)
      if (window === undefined || window.endsAt <= time) {
        window = { count: 0, endsAt: time + windowMs }
        windows.set(key, window)
      }
      window.count++
      // The window may have been opened while the setting was longer.
      window.endsAt = Math.min(window.endsAt, time + windowMs)
      return { count: window.count, resetInMs: window.endsAt - time }
    },
  }
}

/** How long a shared store is not used after a failure. */
const pauseMs = 1_000

/**
 * Counts in `shared`, and in `own` while that fails: a limit per process is better than no limit, or no
 * answers.
 */
export function withFallback(shared: RateLimitStore, own: RateLimitStore, log: Log): RateLimitStore {
  let isGone = false
  let tryAgainAt = 0
  const failed = (error: unknown) => {
    if (!isGone) log.warn({ err: error }, 'the shared rate limit failed; each process counts by itself')
    isGone = true
    tryAgainAt = performance.now() + pauseMs
  }
  return {
    async hit(key, windowMs) {
      if (isGone && performance.now() < tryAgainAt) return own.hit(key, windowMs)
      try {
        const hit = await shared.hit(key, windowMs)
        if (isGone) log.info({}, 'the rate limit counts across all processes again')
        isGone = false
        return hit
      } catch (error) {
        failed(error)
        return own.hit(key, windowMs)
      }
    },
  }
}

/** Counts a request, and adds the headers that report the limit to its client. */
export type RateLimiter = (request: IncomingRequest) => Awaitable<void>

/**
 * Limits each client address (for IPv6, each /64) to `max` requests, at least 1, per window. The limiter
 * throws an AppError 429 beyond that.
 */
export function createRateLimiter(
  store: RateLimitStore,
  { max, windowMs }: { max: number; windowMs: number },
): RateLimiter {
  const limit = Math.max(1, max)
  return (request) =>
    andThen(store.hit(clientOf(request.ip), windowMs), (hit) => assertWithin(limit, request, hit))
}

function assertWithin(limit: number, request: IncomingRequest, { count, resetInMs }: RateLimitHit) {
  const seconds = String(Math.max(1, Math.ceil(resetInMs / 1000)))
  const remaining = String(Math.max(0, limit - count))
  request.addHeaders([
    ...['ratelimit-limit', String(limit)],
    ...['ratelimit-remaining', remaining],
    ...['ratelimit-reset', seconds],
  ])
  if (count <= limit) return
  throw new AppError('RATE_LIMITED', `too many requests; try again in ${seconds} s`, {
    headers: { 'retry-after': seconds },
  })
}
