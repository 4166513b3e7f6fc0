import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { DatabaseError } from '../../database-error.ts'
import type { Watched } from '../../watchdog.ts'
import { withinConnectTime } from '../../within-connect-time.ts'
import { postgresTypes } from './postgres-types.ts'

// To every error without `query`, the driver adds where the query was made, and keeps each such query in a
// map for ever: a leak that any caller who provokes errors could fill.
Object.defineProperty(postgres.PostgresError.prototype, 'query', { value: undefined, writable: true })

export interface ClientOptions {
  readonly url: string
  readonly connectTimeoutMs: number
  /** 0 for no limit. */
  readonly queryTimeoutMs: number
  /** Called when the connection has ended, for whatever reason; `isClosed` is already true. */
  readonly onClose: (client: PostgresClient) => void
  /** Called after each answer. */
  readonly onAnswer: () => void
}

/** A result: rows as arrays, with the names of their columns. */
export type PostgresResult = unknown[][] & {
  readonly columns?: readonly { readonly name: string }[]
  readonly count: number
  readonly command: string
}

// The server's own query timeout comes first; the client only gives up on a server that has stopped
// answering.
const graceMs = 2_000

const idleTimeoutSeconds = 600

const endTimeoutMs = 5_000

/** How much one query counts for what queries take. */
const weightOfLatest = 1 / 16

/** Queries of so many milliseconds may be sent ahead of the answers: few if they take long, many if they do not. */
const pipelineMs = 25
const leastPipelined = 2

// The driver never frees prepared statements, so a connection with this many is replaced.
const maxStatements = 2_000

/**
 * One connection, opened once and never reopened: the driver would reconnect by itself and then run queued
 * queries outside the transaction that they belong to. Callers that find `isClosed` take another one.
 */
export class PostgresClient implements Watched {
  inFlight = 0
  progressAt = 0
  answeredAt = 0
  isClosed = false
  /** The id of the server process that serves this connection. */
  processId = 0
  readonly #texts = new Set<string>()
  /** When each query in flight was sent, by `performance.now()`: the first is running, the others wait for it. */
  readonly #sentAt: number[] = []
  #settledAt = 0
  /** What a query has been taking, in milliseconds. */
  #queryMs = 0
  readonly #sql: postgres.Sql
  readonly #options: ClientOptions
  #drained: Promise<void> | undefined
  #onDrained: (() => void) | undefined
  #isEnded = false

  /** Connects. @throws the driver's error */
  static async open(options: ClientOptions): Promise<PostgresClient> {
    const client = new PostgresClient(options)
    try {
      // The driver keeps retrying if connections are closed at once.
      const asked = client.command('select pg_backend_pid()')
      const [row] = await withinConnectTime(asked, options.connectTimeoutMs)
      client.processId = Number(row?.[0])
      return client
    } catch (error) {
      client.destroy()
      throw error
    }
  }

  private constructor(options: ClientOptions) {
    this.#options = options
    this.#sql = postgres(options.url, {
      max: 1,
      max_pipeline: 10_000,
      fetch_types: false,
      backoff: () => 0,
      idle_timeout: idleTimeoutSeconds,
      connect_timeout: options.connectTimeoutMs / 1000,
      types: postgresTypes,
      onnotice: () => undefined,
      onclose: () => this.destroy(),
      connection: {
        application_name: 'mortise',
        TimeZone: 'UTC',
        DateStyle: 'ISO',
        statement_timeout: options.queryTimeoutMs,
        // Statements are short and prepared once: JIT compilation costs more than it saves.
        jit: 'off',
        idle_in_transaction_session_timeout: options.queryTimeoutMs,
      },
    } as postgres.Options<Record<string, postgres.PostgresType>>)
  }

  get patienceMs(): number {
    const { queryTimeoutMs } = this.#options
    return queryTimeoutMs === 0 ? Infinity : queryTimeoutMs + graceMs
  }

  /** Whether it holds too many statements; close it when convenient. */
  get isFull(): boolean {
    return this.#texts.size >= maxStatements
  }

  /** How long the query that is next has been waiting for those before it, in milliseconds. */
  get waitMs(): number {
    const next = this.#sentAt[1]
    return next === undefined ? 0 : performance.now() - next
  }

  /** Whether another query would not wait long for those before it. */
  get hasRoom(): boolean {
    return this.inFlight < leastPipelined || this.inFlight * this.#queryMs < pipelineMs
  }

  /** Runs a statement as a prepared statement of the server. */
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

  /** Closes it at once and fails what is in flight. */
  destroy(): void {
    void this.#end()
  }

  /** Closes it once what is in flight has been answered, for which it waits a few seconds. */
  async end(): Promise<void> {
    this.isClosed = true
    await Promise.race([this.#drain(), delay(endTimeoutMs, undefined, { ref: false })])
    await this.#end()
  }

  /** Accepts no more queries, and closes once what is in flight has been answered. */
  async retire(): Promise<void> {
    this.isClosed = true
    await this.#drain()
    await this.#end()
  }

  /** Waited for here: asked to end, the driver would reconnect for its queued queries. */
  #drain(): Promise<void> {
    if (this.inFlight === 0) return Promise.resolve()
    this.#drained ??= new Promise((resolve) => {
      this.#onDrained = resolve
    })
    return this.#drained
  }

  async #end(): Promise<void> {
    if (this.#isEnded) return
    this.#isEnded = true
    this.isClosed = true
    await this.#sql.end({ timeout: 0 }).catch(() => undefined)
    this.#options.onClose(this)
  }

  #track(send: () => postgres.PendingQuery<postgres.Row[]>): Promise<PostgresResult> {
    if (this.isClosed) return Promise.reject(connectionLost())
    if (this.inFlight === 0) this.progressAt = Date.now()
    this.inFlight += 1
    this.#sentAt.push(performance.now())
    return send().values().then(this.#answered, this.#failed)
  }

  readonly #answered = (result: unknown): PostgresResult => {
    this.#settle()
    this.answeredAt = this.progressAt
    return result as PostgresResult
  }

  readonly #failed = (error: unknown): never => {
    this.#settle()
    throw error
  }

  #settle(): void {
    this.inFlight -= 1
    const now = performance.now()
    const tookMs = now - Math.max(this.#settledAt, this.#sentAt.shift() ?? now)
    this.#settledAt = now
    this.#queryMs += (tookMs - this.#queryMs) * weightOfLatest
    this.progressAt = Date.now()
    if (this.inFlight === 0) this.#onDrained?.()
    this.#options.onAnswer()
  }
}

function connectionLost(): DatabaseError {
  return new DatabaseError('unavailable', 'the connection to the database was lost')
}
