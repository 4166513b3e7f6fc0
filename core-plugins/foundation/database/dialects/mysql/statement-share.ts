import type { TightLimit } from '../../database-service.ts'

/** A connection that keeps prepared statements. */
export interface StatementHolder {
  /** Gives back the least recently used ones until there are `most`. */
  keepAtMost(most: number): void
}

/** Beyond so many on one connection, most would not be used again. */
export const mostKept = 500

/** With fewer, statements of every day are prepared over and over. */
const enough = 50

/** Of the limit, in use by all clients: from here on it is nearly reached. */
const nearlyAll = 0.9

/** What is left to other programs, and to the processes of the next version while it is deployed. */
const ownPart = 0.5

/** Refusals within this time are about the same statements: what was given back is not yet gone at the server. */
const settleMs = 100

/** After how long without a refusal twice as many are kept. */
const recoveryMs = 60_000

/**
 * How many prepared statements each connection keeps. The server counts those of all its clients together, and refuses
 * further ones beyond `max_prepared_stmt_count` to everybody, until somebody gives some back.
 */
export class StatementShare {
  readonly #holders = new Set<StatementHolder>()
  readonly #connections: number
  #fitting = mostKept
  #kept = mostKept
  #refusedAt = Number.NEGATIVE_INFINITY

  /** @param connections how many there may be, in all processes of this service on this machine */
  constructor(connections: number) {
    this.#connections = connections
  }

  /** For the server's limit of statements. */
  fit(limit: number): void {
    const share = Math.floor((limit * ownPart) / this.#connections)
    this.#fitting = Math.max(1, Math.min(mostKept, share))
  }

  add(holder: StatementHolder): void {
    this.#holders.add(holder)
  }

  remove(holder: StatementHolder): void {
    this.#holders.delete(holder)
  }

  /** How many one connection may keep now. */
  get each(): number {
    const recovered = 2 ** Math.floor((performance.now() - this.#refusedAt) / recoveryMs)
    return Math.min(this.#fitting, this.#kept * recovered)
  }

  /** The server has refused one: every connection gives back half of what it may keep. */
  refused(): void {
    if (performance.now() - this.#refusedAt < settleMs) return
    this.#kept = Math.max(1, Math.floor(this.each / 2))
    this.#refusedAt = performance.now()
    for (const holder of this.#holders) holder.keepAtMost(this.#kept)
  }

  /** What to say of the server's limit, of which so many are in use by all its clients. */
  tightness(limit: number, used: number): TightLimit[] {
    if (this.#fitting >= enough && used < limit * nearlyAll) return []
    const counted = `${used} of the ${limit} prepared statements that the server keeps for all its clients are in use`
    const each = `each of the ${this.#connections} connections of this service can keep ${this.#fitting}`
    const wanted = Math.max(2 * limit, Math.ceil((this.#connections * 2 * enough) / ownPart))
    return [
      {
        message: `${counted} (max_prepared_stmt_count); ${each}`,
        remedy: `set max_prepared_stmt_count of the server to ${wanted}, or lower database.poolSize and database.transactionPoolSize`,
      },
    ]
  }
}
