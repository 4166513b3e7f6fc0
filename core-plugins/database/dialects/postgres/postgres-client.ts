import postgres from 'postgres'
import type { Breaker } from '../../breaker.ts'
import { DatabaseError } from '../../database.ts'
import type { Watched } from '../../watchdog.ts'
import { isUnavailable } from './postgres-error.ts'
import { postgresTypes } from './postgres-types.ts'

// The driver adds where a query was made to every error that has no `query` yet, and keeps each such query for
// ever in a map: a leak that any caller who provokes errors could fill.
Object.defineProperty(postgres.PostgresError.prototype, 'query', { value: undefined, writable: true })

export interface ClientOptions {
  readonly url: string
  readonly connectTimeoutMs: number
  /** 0 for no limit. */
  readonly queryTimeoutMs: number
  /** Told whether the server can be reached. */
  readonly breaker: Breaker
  /** Told when the connection has ended, for whatever reason; `isClosed` is true before. */
  readonly onClose: (client: PostgresClient) => void
}

/** A result: rows as arrays, with the names of their columns. */
export type PostgresResult = unknown[][] & {
  readonly columns?: readonly { readonly name: string }[]
  readonly count: number
  readonly command: string
}

// A server ends a query by itself first; only one that has gone silent is given up.
const graceMs = 2_000

const idleTimeoutSeconds = 600

const endTimeoutSeconds = 5

// The driver never lets go of a prepared statement, so a connection that has had this many makes way for another.
const maxStatements = 2_000

/**
 * One connection, opened with the first query and never again: the driver would connect anew by itself, and then run
 * what it had queued outside of the transaction that it was meant for. Whoever finds `isClosed` takes another.
 */
export class PostgresClient implements Watched {
  inFlight = 0
  progressAt = 0
  isClosed = false
  hasAnswered = false
  readonly #texts = new Set<string>()
  readonly #sql: postgres.Sql
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
    this.#sql = postgres(options.url, {
      max: 1,
      max_pipeline: 10_000,
      fetch_types: false,
      backoff: () => 0,
      idle_timeout: idleTimeoutSeconds,
      connect_timeout: Math.ceil(options.connectTimeoutMs / 1000),
      types: postgresTypes,
      onnotice: () => undefined,
      onclose: () => this.destroy(),
      connection: {
        application_name: 'mortise',
        TimeZone: 'UTC',
        DateStyle: 'ISO',
        statement_timeout: options.queryTimeoutMs,
        idle_in_transaction_session_timeout: options.queryTimeoutMs,
      },
    } as postgres.Options<Record<string, postgres.PostgresType>>)
  }

  get patienceMs(): number {
    const { connectTimeoutMs, queryTimeoutMs } = this.#options
    if (!this.hasAnswered) return connectTimeoutMs
    return queryTimeoutMs === 0 ? Infinity : queryTimeoutMs + graceMs
  }

  /** Whether it holds as many statements as it should; end it when it is convenient. */
  get isFull(): boolean {
    return this.#texts.size >= maxStatements
  }

  /** Runs a statement that the server keeps prepared. */
  query(text: string, parameters: unknown[]): Promise<PostgresResult> {
    this.#texts.add(text)
    return this.#track(() =>
      this.#sql.unsafe(text, parameters as never[], { prepare: true, simple: false } as object),
    )
  }

  /** Runs a statement without parameters once. */
  command(text: string): Promise<PostgresResult> {
    return this.#track(() => this.#sql.unsafe(text))
  }

  /** Ends it at once and fails what is in flight. */
  destroy(): void {
    if (this.isClosed) return
    this.#end(0)
  }

  /** Ends it after what is in flight was answered. */
  async end(): Promise<void> {
    if (!this.isClosed) await this.#end(endTimeoutSeconds)
  }

  async #end(timeout: number): Promise<void> {
    this.isClosed = true
    await this.#sql.end({ timeout }).catch(() => undefined)
    this.#options.onClose(this)
  }

  #track(send: () => postgres.PendingQuery<postgres.Row[]>): Promise<PostgresResult> {
    if (this.isClosed) return Promise.reject(connectionLost())
    if (this.inFlight === 0) this.progressAt = Date.now()
    this.inFlight += 1
    return send().values().then(this.#answered, this.#failed)
  }

  readonly #answered = (result: unknown): PostgresResult => {
    this.inFlight -= 1
    this.progressAt = Date.now()
    this.hasAnswered = true
    this.#options.breaker.succeeded()
    return result as PostgresResult
  }

  readonly #failed = (error: unknown): never => {
    this.inFlight -= 1
    this.progressAt = Date.now()
    if (!this.hasAnswered && isUnavailable(error)) this.#options.breaker.failed()
    throw error
  }
}

function connectionLost(): DatabaseError {
  return new DatabaseError('unavailable', 'the connection to the database was lost')
}
