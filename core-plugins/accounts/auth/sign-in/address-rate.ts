import { AppError, clientOf, isLoopback, networkOf } from '../../../foundation/http/http.ts'

/** Limits the actions of an address, and of its network, within a window of time. */
export interface AddressRate {
  /**
   * Counts an action; returns a function that cancels it. Local addresses are not counted, since a proxy that is not yet
   * trusted, or the application itself, sends the requests of all users from there.
   * @throws AppError 429
   */
  begin(address: string): () => void
}

export interface AddressRateOptions {
  readonly windowMs: number
  maxPerAddress(): number
  maxPerNetwork(): number
  /** The counted action, for messages: `failed logins`. */
  readonly what: string
}

/** Counts in memory, separately for each process. */
export function createAddressRate(options: AddressRateOptions, now: () => number = Date.now): AddressRate {
  const { windowMs, what } = options
  let counts = new Map<string, number>()
  let endsAt = 0

  function startWindow() {
    if (now() < endsAt) return
    counts = new Map()
    endsAt = now() + windowMs
  }

  function assertFewer(key: string, max: number) {
    if ((counts.get(key) ?? 0) >= max) throw tooMany(what, max, endsAt - now())
  }

  return {
    begin(address) {
      if (isLoopback(address)) return () => undefined
      startWindow()
      const [client, network] = [clientOf(address), `network ${networkOf(address)}`]
      assertFewer(client, options.maxPerAddress())
      assertFewer(network, options.maxPerNetwork())
      const counted = counts
      const add = (step: number) => {
        for (const key of [client, network]) counted.set(key, (counted.get(key) ?? 0) + step)
      }
      add(1)
      return () => add(-1)
    },
  }
}

function tooMany(what: string, max: number, remainingMs: number): AppError {
  const seconds = String(Math.max(1, Math.ceil(remainingMs / 1000)))
  return new AppError('RATE_LIMITED', `too many ${what} from this address; try again in ${seconds} s`, {
    headers: {
      'retry-after': seconds,
      'ratelimit-limit': String(max),
      'ratelimit-remaining': '0',
      'ratelimit-reset': seconds,
    },
  })
}
