import type { Log } from '../../kernel/index.ts'
import { AppError } from './app-error.ts'
import { clientOf } from './client-address.ts'
import type { RateLimitHit, RateLimitStore } from './http.ts'
import type { IncomingRequest } from './request.ts'
import { isPromise } from './stages.ts'

/** Counts in the memory of this process. */
export function createMemoryStore(now: () => number = Date.now): RateLimitStore {
  const windows = new Map<string, { count: number; endsAt: number }>()
  let sweepAt = 0
  const sweep = (time: number, windowMs: number) => {
    if (time < sweepAt) return
    sweepAt = time + windowMs
    for (const [key, window] of windows) if (window.endsAt <= time) windows.delete(key)
  }
  return {
    hit(key, windowMs) {
      const time = now()
      sweep(time, windowMs)
      let window = windows.get(key)
      if (window === undefined || window.endsAt <= time) {
        window = { count: 0, endsAt: time + windowMs }
        windows.set(key, window)
      }
      window.count++
      // It may have been made when windows were longer.
      window.endsAt = Math.min(window.endsAt, time + windowMs)
      return { count: window.count, resetInMs: window.endsAt - time }
    },
  }
}

/** For how long a shared store is left alone after it has failed. */
const pauseMs = 1_000

/** Counts in `shared`, and in `own` while that fails: a limit per process is better than none, or than no answers. */
export function withFallback(shared: RateLimitStore, own: RateLimitStore, log: Log): RateLimitStore {
  let isGone = false
  let tryAgainAt = 0
  const failed = (error: unknown) => {
    if (!isGone) log.warn({ err: error }, 'the shared rate limit fails; each process counts for itself')
    isGone = true
    tryAgainAt = performance.now() + pauseMs
  }
  return {
    async hit(key, windowMs) {
      if (isGone && performance.now() < tryAgainAt) return own.hit(key, windowMs)
      try {
        const hit = await shared.hit(key, windowMs)
        if (isGone) log.info({}, 'the rate limit counts over all processes again')
        isGone = false
        return hit
      } catch (error) {
        failed(error)
        return own.hit(key, windowMs)
      }
    },
  }
}

/** Counts a request in, and adds the headers that tell its client where it stands. */
export type RateLimiter = (request: IncomingRequest) => void | Promise<void>

/**
 * Limits each client address, a /64 of IPv6 being one, to `max` requests (at least 1) in a window.
 * The limiter throws an AppError 429 for those above.
 */
export function createRateLimiter(
  store: RateLimitStore,
  { max, windowMs }: { max: number; windowMs: number },
): RateLimiter {
  const limit = Math.max(1, max)
  return (request) => {
    const hit = store.hit(clientOf(request.ip), windowMs)
    if (isPromise(hit)) return hit.then((known) => judge(request, known, limit))
    judge(request, hit, limit)
  }
}

function judge(request: IncomingRequest, { count, resetInMs }: RateLimitHit, limit: number) {
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
