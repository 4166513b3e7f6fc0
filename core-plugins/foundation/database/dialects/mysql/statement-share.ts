import type { TightLimit } from '../../database-service.ts'

/** A connection that keeps prepared statements. */
export interface StatementHolder {
  /** Closes the least recently used statements until at most `most` are left. */
  keepAtMost(most: number): void
}

/** With more than this many on one connection, most would not be used again. */
export const mostKept = 500

/** With fewer than this many, common statements are prepared over and over. */
const enough = 50

/** Share of the server's limit in use by all clients from which it counts as nearly reached. */
const nearlyAll = 0.9

/**
 * The service uses at most this share of the limit; the rest is for other programs, and for the processes of the next
 * version while it is deployed.
 */
const ownPart = 0.5

/**
 * Refusals within this many milliseconds have the same cause: the server has not yet freed the statements that were
 * closed.
 */
const settleMs = 100

/** After each period of this many milliseconds without a refusal, twice as many are kept. */
const recoveryMs = 60_000

/**
 * How many prepared statements each connection keeps. The server counts the statements of all its clients together,
 * and beyond `max_prepared_stmt_count` refuses further ones to every client until some are closed.
 */
export class StatementShare {
  readonly #holders = new Set<StatementHolder>()
  readonly #connections: number
  #fitting = mostKept
  #kept = mostKept
  #refusedAt = Number.NEGATIVE_INFINITY

  /** @param connections the maximum number of connections of all processes of this service on this machine */
  constructor(connections: number) {
    this.#connections = connections
  }

  /** Adapts to the server's limit of statements. */
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

  /** How many statements one connection may keep at the moment. */
  get each(): number {
    const recovered = 2 ** Math.floor((performance.now() - this.#refusedAt) / recoveryMs)
    return Math.min(this.#fitting, this.#kept * recovered)
  }

  /** Call when the server has refused a statement: every connection closes half of those that it may keep. */
  refused(): void {
    if (performance.now() - this.#refusedAt < settleMs) return
    this.#kept = Math.max(1, Math.floor(this.each / 2))
    this.#refusedAt = performance.now()
    for (const holder of this.#holders) holder.keepAtMost(this.#kept)
  }

  /**
   * The warning about the server's limit, with `used` statements in use by all its clients; empty if there is none.
   */
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
