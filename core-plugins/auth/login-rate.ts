import type { Config } from '../config/config.ts'
import { AppError, clientOf, isLoopback, networkOf } from '../http/http.ts'
import { loginMaxPerAddress, loginMaxPerNetwork } from './settings.ts'

/** Bounds the failed logins of an address and of the network around it, whatever identifiers they are for. */
export interface LoginRate {
  /**
   * Counts a login; answers how to take it back, for one that succeeded. Those of this machine are not counted: a
   * proxy whose word does not count yet, or the application itself, signs everybody in from there.
   * @throws AppError 429
   */
  begin(address: string): () => void
}

const windowMs = 60_000

/** Counts in the memory of this process, a minute at a time. */
export function createLoginRate(config: Config, now: () => number = Date.now): LoginRate {
  let counts = new Map<string, number>()
  let endsAt = 0

  function startWindow() {
    if (now() < endsAt) return
    counts = new Map()
    endsAt = now() + windowMs
  }

  function expectFewer(key: string, max: number) {
    if ((counts.get(key) ?? 0) >= max) throw tooMany(max, endsAt - now())
  }

  return {
    begin(address) {
      if (isLoopback(address)) return () => undefined
      startWindow()
      const [client, network] = [clientOf(address), `network ${networkOf(address)}`]
      expectFewer(client, config.get(loginMaxPerAddress))
      expectFewer(network, config.get(loginMaxPerNetwork))
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
