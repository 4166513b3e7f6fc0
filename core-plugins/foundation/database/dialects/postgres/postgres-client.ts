import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import type { Watched } from '../../connections/watchdog.ts'
import { withinConnectTime } from '../../connections/within-connect-time.ts'
import { DatabaseError } from '../../database-error.ts'
import { refusesPrepared } from './driver-error.ts'
import { lifetimeMs } from './lifetime.ts'
import { parameterTexts } from './parameter-text.ts'
import { postgresAddress } from './postgres-address.ts'
import { postgresTypes } from './postgres-types.ts'
import { type Preparations, type PreparedText, PreparedTexts } from './prepared-texts.ts'
import {
  hasOwnSession,
  keepsStatements,
  limitCommands,
  limitParameters,
  type ServerPath,
} from './server-path.ts'

export interface ClientOptions {
  readonly url: string
  readonly connectTimeoutMs: number
  /** 0 for no limit. */
  readonly queryTimeoutMs: number
  readonly path: ServerPath
  /** Shared by all connections of a pool. */
  readonly preparations: Preparations
  /** Called when the connection has ended, for any reason; `isClosed` is already true. */
  readonly onClose: (client: PostgresClient) => void
  /** Called after each answer. */
  readonly onAnswer: () => void
}

/** The names of a result's columns; the same object for every result of one prepared statement. */
export type PostgresColumns = readonly { readonly name: string }[]

/** A result: rows as arrays, with the names of their columns. */
export interface PostgresResult {
  readonly rows: unknown[][]
  readonly columns: PostgresColumns | undefined
  readonly count: number
  readonly command: string
}

/** What the driver resolves with; the rows are collected here. */
type Completed = Pick<PostgresResult, 'columns' | 'command'> & {
  readonly count: number | null
  readonly statement?: { readonly string: string }
}

/** A query in flight. */
interface Asked {
  readonly text: string
  /** By `performance.now()`. */
  readonly at: number
  readonly rows: unknown[][]
  readonly isCommand: boolean
  /** Undefined for a command, or if statements are not prepared on this path. */
  readonly prepared: PreparedText | undefined
  /** The state of `prepared` when the query was sent. */
  readonly was: PreparedText['state'] | undefined
}

/** Properties set on a query of the driver, which has them but does not declare them in its types. */
interface Composed {
  parameters: readonly (string | null)[]
  forEachFn: (row: unknown[]) => void
}

const preparing = { prepare: true, simple: false }
const unprepared = { prepare: false, simple: false }
const command = { prepare: false, simple: true }

// The server's own query timeout comes first; the client only gives up on a server that has stopped
// answering.
const graceMs = 2_000

const idleTimeoutMs = 600_000

const endTimeoutMs = 5_000

/** The weight of the latest query in the average duration. */
const weightOfLatest = 1 / 16

/**
 * Queries are sent ahead of the answers as long as those in flight take no more than this many milliseconds together.
 */
const pipelineMs = 25
const leastPipelined = 2

// The driver never frees prepared statements, so a connection with this many is replaced.
const maxStatements = 2_000

/**
 * One connection, opened once and never reopened: the driver would reconnect by itself and then run queued queries
 * outside the transaction that they belong to. Callers that find `isClosed` take another one.
 *
 * Several queries may be in flight, so it has to be certain which answer belongs to which: everything about a query
 * is sent at once, and its end is marked by a single message of the server.
 */
export class PostgresClient implements Watched {
  progressAt = 0
  answeredAt = 0
  isClosed = false
  /**
   * The id of the server process that serves this connection; without a session of its own, the process that served
   * it first.
   */
  processId = 0
  /** Whether a pooler in between answers with ids of its own. */
  isPooled = false
  readonly #texts: PreparedTexts
  /** The queries in flight, in the order in which they were sent: the first is running, the others wait for it. */
  readonly #asked: Asked[] = []
  #settledAt = 0
  /** The average duration of a query, in milliseconds. */
  #queryMs = 0
  readonly #sql: postgres.Sql
  readonly #options: ClientOptions
  readonly #keepsStatements: boolean
  readonly #idle: NodeJS.Timeout
  readonly #life: NodeJS.Timeout
  #isOld = false
  /**
   * The answer naming the server process of the transaction in `withinLimits`, until that transaction is being ended.
   */
  #served: Promise<PostgresResult> | undefined
  #isClaimed = false
  #drained: Promise<void> | undefined
  #onDrained: (() => void) | undefined
  #isEnded = false

  /** Connects. @throws the driver's error */
  static async open(options: ClientOptions): Promise<PostgresClient> {
    const client = new PostgresClient(options)
    try {
      // The driver keeps retrying if connections are closed at once.
      await withinConnectTime(client.#meetServer(), options.connectTimeoutMs)
      return client
    } catch (error) {
      client.destroy()
      throw error
    }
  }

  private constructor(options: ClientOptions) {
    this.#options = options
    this.#texts = new PreparedTexts(options.preparations)
    this.#keepsStatements = keepsStatements(options.path)
    const { url, ssl } = postgresAddress(options.url)
    this.#sql = postgres(url, {
      ...ssl,
      max: 1,
      max_pipeline: 10_000,
      fetch_types: false,
      backoff: () => 0,
      // The driver would end the connection in the middle of a transaction, and lose a query that arrives at that
      // moment.
      idle_timeout: 0,
      max_lifetime: 0,
      connect_timeout: options.connectTimeoutMs / 1000,
      types: postgresTypes,
      onnotice: () => undefined,
      onclose: () => this.destroy(),
      connection: {
        application_name: 'mortise',
        TimeZone: 'UTC',
        DateStyle: 'ISO',
        ...(options.path.pooling === 'none' ? limitParameters(options.queryTimeoutMs) : {}),
      },
    } as postgres.Options<Record<string, postgres.PostgresType>>)
    this.#idle = setTimeout(() => this.#endIdle(), idleTimeoutMs).unref()
    this.#life = setTimeout(() => {
      this.#isOld = true
    }, lifetimeMs(options.url)).unref()
  }

  async #meetServer(): Promise<void> {
    const { path, queryTimeoutMs } = this.#options
    const asked = this.#sql.unsafe('select pg_backend_pid()', [], command).values()
    if (path.pooling === 'session') await this.command(limitCommands('set', queryTimeoutMs))
    const { 0: row, state } = await asked
    this.processId = Number(row?.[0])
    this.isPooled = this.processId !== state.pid
  }

  /** The number of queries that have not been answered. */
  get inFlight(): number {
    return this.#asked.length
  }

  get patienceMs(): number {
    const { queryTimeoutMs } = this.#options
    return queryTimeoutMs === 0 ? Infinity : queryTimeoutMs + graceMs
  }

  /** Whether the connection is old or holds too many statements; close it when convenient. */
  get isSpent(): boolean {
    return this.#isOld || this.#texts.count >= maxStatements
  }

  /** How long the next query in line has been waiting for those before it, in milliseconds. */
  get waitMs(): number {
    const next = this.#asked[1]
    return next === undefined ? 0 : performance.now() - next.at
  }

  /** Whether another query would not have to wait long for those before it. */
  get hasRoom(): boolean {
    return this.inFlight < leastPipelined || this.inFlight * this.#queryMs < pipelineMs
  }

  /**
   * Runs a statement as a prepared statement of the server.
   * @throws DatabaseError of kind `altered` if the tables have changed since it was prepared: it has not run then,
   * and is prepared again the next time; otherwise the driver's error
   */
  query(text: string, parameters: readonly unknown[]): Promise<PostgresResult> {
    const values = parameterTexts(parameters)
    if (!this.#keepsStatements) return this.#ask(text, unprepared, values, undefined)
    const prepared = this.#texts.of(text)
    // While the statement is being prepared for the first query, further ones would each prepare it for themselves.
    return this.#ask(prepared.sent, prepared.state === 'preparing' ? unprepared : preparing, values, prepared)
  }

  /** Runs a statement without parameters once. */
  command(text: string): Promise<PostgresResult> {
    return this.#ask(text, command, [], undefined)
  }

  /** The commands that must follow `begin` for the limits of this connection to hold, each preceded by `; `. */
  get limitsOfTransaction(): string {
    const { path, queryTimeoutMs } = this.#options
    return hasOwnSession(path) ? '' : `; ${limitCommands('set local', queryTimeoutMs)}`
  }

  /** Reads under the limits of this connection; without a session of its own, this takes a transaction. */
  async withinLimits<T>(read: () => Promise<T>): Promise<T> {
    if (hasOwnSession(this.#options.path)) return read()
    const begun = this.command(`begin read only${this.limitsOfTransaction}`)
    this.#served = this.command('select pg_backend_pid()')
    try {
      const [result] = await Promise.all([read(), begun, this.#served])
      return result
    } finally {
      // Only if the process was not claimed: terminating it must not hit another client's query.
      if (!this.#isClaimed) {
        this.#served = undefined
        await this.command('commit').catch(() => this.destroy())
      }
    }
  }

  /**
   * The id of the server process that runs the read of `withinLimits`; from here on, it serves no other client.
   * Undefined if the read has already ended, since the process may serve another client by now.
   */
  async claimProcess(): Promise<number | undefined> {
    if (hasOwnSession(this.#options.path)) return this.processId
    this.#isClaimed = true
    const served = await this.#served
    return served && Number(served.rows[0]?.[0])
  }

  /** Call after changing tables on this connection: outdates all prepared statements. */
  tablesChanged(): void {
    this.#texts.outdateAll()
  }

  /** Closes it at once and fails the queries in flight. */
  destroy(): void {
    void this.#end()
  }

  /** Accepts no more queries, and closes once those in flight have been answered, or after a few seconds. */
  async end(): Promise<void> {
    this.isClosed = true
    await Promise.race([this.#drain(), delay(endTimeoutMs, undefined, { ref: false })])
    await this.#end()
  }

  /** Accepts no more queries, and closes once those in flight have been answered, without a time limit. */
  async retire(): Promise<void> {
    this.isClosed = true
    await this.#drain()
    await this.#end()
  }

  /** Waits here, because the driver, when asked to end, would reconnect for its queued queries. */
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
    clearTimeout(this.#idle)
    clearTimeout(this.#life)
    await this.#sql.end({ timeout: 0 }).catch(() => undefined)
    this.#options.onClose(this)
  }

  #endIdle(): void {
    const isIdle = this.inFlight === 0 && Date.now() - this.progressAt >= idleTimeoutMs
    if (isIdle && this.#options.queryTimeoutMs > 0) this.destroy()
    else this.#idle.refresh()
  }

  /**
   * Does not pass parameters to the driver as arguments: it would then send a new statement in two parts, to learn
   * the types of the parameters in between, and collect rows in a list that a failed query leaves to the next one.
   */
  #ask(
    text: string,
    options: object,
    parameters: readonly (string | null)[],
    prepared: PreparedText | undefined,
  ): Promise<PostgresResult> {
    if (this.isClosed) return Promise.reject(connectionLost())
    const rows: unknown[][] = []
    const isCommand = options === command
    const asked: Asked = { text, at: performance.now(), rows, isCommand, prepared, was: prepared?.state }
    const query = this.#sql.unsafe(text, [], options).values()
    const composed = query as unknown as Composed
    composed.parameters = parameters
    composed.forEachFn = (row) => rows.push(row)
    if (prepared?.state === 'new') prepared.state = 'preparing'
    if (this.inFlight === 0) this.progressAt = Date.now()
    this.#asked.push(asked)
    return query.then(
      (completed) => this.#answered(asked, completed as unknown as Completed),
      (error) => this.#failed(asked, error),
    )
  }

  #answered(asked: Asked, completed: Completed): PostgresResult {
    const isNext = this.#settle(asked)
    const { prepared, rows } = asked
    if (prepared !== undefined) prepared.state = 'prepared'
    this.answeredAt = this.progressAt
    if (!isNext || !belongs(completed, asked)) {
      this.destroy()
      throw new DatabaseError(
        'unavailable',
        `the database gave another answer than the one to: ${asked.text}`,
      )
    }
    const { columns, command, count } = completed
    return { rows, columns, command, count: count ?? 0 }
  }

  #failed(asked: Asked, error: unknown): never {
    this.#settle(asked)
    const { prepared, was } = asked
    if (prepared === undefined) throw error
    if (was === 'new') prepared.state = 'new'
    // A pooler may know the same text as prepared by another connection.
    const wasKept = was === 'prepared' || (was === 'new' && this.isPooled)
    if (!wasKept || !refusesPrepared(error)) throw error
    this.#texts.outdate(prepared)
    const message = 'the tables have changed since a statement was prepared'
    throw new DatabaseError('altered', message, { cause: error })
  }

  #settle(asked: Asked): boolean {
    const isNext = this.#asked[0] === asked
    if (isNext) this.#asked.shift()
    else this.#asked.splice(this.#asked.indexOf(asked), 1)
    const now = performance.now()
    const tookMs = now - Math.max(this.#settledAt, asked.at)
    this.#settledAt = now
    this.#queryMs += (tookMs - this.#queryMs) * weightOfLatest
    this.progressAt = Date.now()
    if (this.inFlight === 0) this.#onDrained?.()
    this.#options.onAnswer()
    return isNext
  }
}

/** Whether an answer belongs to this query, as far as can be seen. */
function belongs({ statement, count }: Completed, { text, isCommand, rows }: Asked): boolean {
  if (isCommand) return true
  // The server counts the rows of queries, but not those of commands such as `explain`.
  return statement?.string === text && (rows.length === 0 || rows.length === (count ?? rows.length))
}

function connectionLost(): DatabaseError {
  return new DatabaseError('unavailable', 'the connection to the database was lost')
}
