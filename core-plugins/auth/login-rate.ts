import type { Config } from '../config/config.ts'
import { AppError, clientOf, isLoopback, networkOf } from '../http/http.ts'
import { loginMaxPerAddress, loginMaxPerNetwork } from './settings.ts'

/** Limits the failed logins of an address and of the network around it, for all identifiers together. */
export interface LoginRate {
  /**
   * Counts a login; returns a function that takes it back if the login succeeds. Local ones are not counted:
   * a proxy that is not trusted yet, or the application itself, signs everybody in from there.
   * @throws AppError 429
   */
  begin(address: string): () => void
}

const windowMs = 60_000

/** Counts per minute in the memory of this process. */
export function createLoginRate(config: Config, now: () => number = Date.now): LoginRate {
  let counts = new Map<string, number>()
  let endsAt = 0

  function startWindow() {
    if (now() < endsAt) return
    counts = new Map()
    endsAt = now() + windowMs
  }

  function assertFewer(key: string, max: number) {
    if ((counts.get(key) ?? 0) >= max) throw tooMany(max, endsAt - now())
  }

  return {
    begin(address) {
      if (isLoopback(address)) return () => undefined
      startWindow()
      const [client, network] = [clientOf(address), `network ${networkOf(address)}`]
      assertFewer(client, config.get(loginMaxPerAddress))
      assertFewer(network, config.get(loginMaxPerNetwork))
      const counted = counts
      const add = (step: number) => {
        for (const key of [client, network]) counted.set(key, (counted.get(key) ?? 0) + step)
      }
      add(1)
      return () => add(-1)
    },
  }
}

function tooMany(max: number, remainingMs: number): AppError {
  const seconds = String(Math.max(1, Math.ceil(remainingMs / 1000)))
  return new AppError('RATE_LIMITED', `too many failed logins from this address; try again in ${seconds} s`, {
    headers: {
      'retry-after': seconds,
      'ratelimit-limit': String(max),
      'ratelimit-remaining': '0',
      'ratelimit-reset': seconds,
    },
  })
}
