import { AppError } from '../../foundation/http/http.ts'
import type { LiveClient } from './live-client.ts'

export interface ClientLimits {
  readonly ofProcess: () => number
  readonly ofAddress: () => number
}

/** The interval in seconds between heartbeats of a client; clients are spread over these seconds. */
const heartbeatSeconds = 25

/** The open streams of this process. */
export class Clients {
  readonly #limits: ClientLimits
  readonly #all = new Set<LiveClient>()
  readonly #byAddress = new Map<string, number>()
  readonly #byCredential = new Map<string, Set<LiveClient>>()
  readonly #beats: readonly Set<LiveClient>[] = Array.from({ length: heartbeatSeconds }, () => new Set())
  #nextBeat = 0
  #added = 0

  constructor(limits: ClientLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#all.size
  }

  all(): Iterable<LiveClient> {
    return this.#all
  }

  byCredential(): Iterable<readonly [string, ReadonlySet<LiveClient>]> {
    return this.#byCredential
  }

  /** @throws AppError 429 if the address has too many streams, unless it was already counted; 503 if the process has too many */
  assertRoom(address: string | undefined): void {
    // Random, so that clients do not all return at the same time.
    const headers = { 'retry-after': String(5 + Math.floor(Math.random() * 25)) }
    if (this.#all.size >= this.#limits.ofProcess()) {
      const reason = 'too_many_streams'
      throw new AppError('UNAVAILABLE', 'there are too many open streams', { reason, headers })
    }
    const own = address === undefined ? 0 : (this.#byAddress.get(address) ?? 0)
    if (own >= this.#limits.ofAddress()) {
      throw new AppError('RATE_LIMITED', `there are ${own} open streams from your address`, { headers })
    }
  }

  /** The clients above the limit, after it was lowered. */
  surplus(): readonly LiveClient[] {
    return [...this.#all].slice(0, Math.max(0, this.#all.size - this.#limits.ofProcess()))
  }

  add(client: LiveClient): void {
    this.#all.add(client)
    this.#count(client.address, 1)
    this.#added += 1
    this.#beats[this.#added % heartbeatSeconds]?.add(client)
    if (client.credential === undefined) return
    const others = this.#byCredential.get(client.credential) ?? new Set()
    others.add(client)
    this.#byCredential.set(client.credential, others)
  }

  remove(client: LiveClient): void {
    if (!this.#all.delete(client)) return
    for (const beat of this.#beats) beat.delete(client)
    this.#count(client.address, -1)
    if (client.credential === undefined) return
    const others = this.#byCredential.get(client.credential)
    others?.delete(client)
    if (others?.size === 0) this.#byCredential.delete(client.credential)
  }

  #count(address: string | undefined, more: number): void {
    if (address === undefined) return
    const count = (this.#byAddress.get(address) ?? 0) + more
    if (count > 0) this.#byAddress.set(address, count)
    else this.#byAddress.delete(address)
  }

  /** The clients whose heartbeat is due; called once a second. */
  nextBeat(): Iterable<LiveClient> {
    this.#nextBeat = (this.#nextBeat + 1) % heartbeatSeconds
    return this.#beats[this.#nextBeat] ?? []
  }
}
