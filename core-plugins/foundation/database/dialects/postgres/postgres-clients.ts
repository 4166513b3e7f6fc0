import { Admission, type Holder } from '../../connections/admission.ts'
import { Breaker } from '../../connections/breaker.ts'
import { Line, waitedTooLong } from '../../connections/line.ts'
import { Pool } from '../../connections/pool.ts'
import {
  breakerPauseMs,
  connectPatienceMs,
  costlyQueryTimeoutMs,
  type ServerOptions,
} from '../../connections/server-options.ts'
import { Watchdog } from '../../connections/watchdog.ts'
import { DatabaseError } from '../../database-error.ts'
import type { ConnectionLoad } from '../../database-service.ts'
import type { KnownTables } from '../../schema/known-tables.ts'
import { CostlyReads } from '../../statements/costly-reads.ts'
import type { Recipient } from '../../statements/query-target.ts'
import type { PostgresClient, PostgresResult } from './postgres-client.ts'
import { PostgresConnector } from './postgres-connector.ts'
import { classifyPostgresError } from './postgres-error.ts'
import { againWhileOutdated, isOutdated, type Preparations } from './prepared-texts.ts'
import type { ServerPath } from './server-path.ts'

/**
 * All connections of this process: some shared by queries, others lent exclusively to one transaction or costly read.
 */
export class PostgresClients implements Holder {
  readonly #options: ServerOptions
  readonly #tables: KnownTables
  readonly #connector: PostgresConnector
  readonly #breaker: Breaker
  readonly #watchdog: Watchdog
  readonly #admission = new Admission()
  readonly #all = new Set<PostgresClient>()
  readonly #shared: PostgresClient[] = []
  /** The line for the shared connections, while they are busy. */
  readonly #line: Line<void>
  readonly #lent: Pool<PostgresClient>
  readonly #costly: CostlyReads<PostgresClient>
  readonly #preparations: Preparations = { generation: 0 }
  #opening: Promise<void> | undefined
  #waiting = 0
  #isClosed = false

  constructor(options: ServerOptions, tables: KnownTables) {
    const { transactionPoolSize: size, maxWaiting, waitTimeoutMs, queryTimeoutMs } = options
    this.#options = options
    this.#tables = tables
    this.#connector = new PostgresConnector(options)
    this.#breaker = new Breaker(breakerPauseMs, connectPatienceMs(options))
    this.#watchdog = new Watchdog({
      silenceMs: waitTimeoutMs,
      breaker: this.#breaker,
      probe: async () => (await this.#connect(queryTimeoutMs)).destroy(),
    })
    const lending = {
      waitTimeoutMs,
      admission: this.#admission,
      isUsable: (client: PostgresClient) => !client.isClosed,
      end: (client: PostgresClient) => void client.end(),
    }
    this.#line = new Line({
      maxWaiting: () => maxWaiting,
      waitTimeoutMs,
      waitedTooLong: () => waitedTooLong(waitTimeoutMs),
    })
    this.#lent = new Pool({ ...lending, size, maxWaiting, open: () => this.#open(queryTimeoutMs) })
    this.#costly = new CostlyReads({
      ...lending,
      size: options.costlyPoolSize,
      maxWaiting: options.maxCostlyWaiting,
      timeoutMs: options.readTimeoutMs,
      open: () => this.#open(costlyQueryTimeoutMs(options)),
      cancel: (client) => this.#cancel(client),
    })
    this.#admission.add(this)
  }

  /** How these connections reach the server; known once one has been opened. */
  get path(): ServerPath {
    return this.#connector.path
  }

  /** For connections opened elsewhere, for which the pool has to make room if the server has too many. */
  get admission(): Admission {
    return this.#admission
  }

  /** Sends a query on the least busy of the shared connections, once it is its recipient's turn. */
  send(text: string, parameters: unknown[], recipient?: Recipient): Promise<PostgresResult> {
    return this.#sendInTurn(text, parameters, recipient).catch((error) => {
      if (!isOutdated(error)) throw error
      return againWhileOutdated(() => this.#send(text, parameters))
    })
  }

  #sendInTurn(text: string, parameters: unknown[], recipient?: Recipient): Promise<PostgresResult> {
    if (this.#line.size === 0 && this.#bestShared()?.hasRoom !== false) return this.#send(text, parameters)
    return new Promise((resolve, reject) => {
      const give = () => {
        this.#send(text, parameters).then(resolve, reject)
      }
      this.#line.join({ give, fail: reject }, recipient)
    })
  }

  async #send(text: string, parameters: unknown[]): Promise<PostgresResult> {
    const client = this.#readyClient()
    return client === undefined ? this.#sendOnAnother(text, parameters) : client.query(text, parameters)
  }

  /**
   * Sends waiting queries as long as there is room. If no connection is open, each of them tries to open one and
   * fails with the reason.
   */
  #advance(): void {
    while (this.#line.size > 0 && this.#bestShared()?.hasRoom !== false) this.#line.next()
  }

  /** Lends a connection to `use` exclusively. */
  async lend<T>(use: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await this.#lent.acquire()
    try {
      return await use(client)
    } finally {
      if (client.isSpent) void client.end()
      this.#lent.release(client)
    }
  }

  /** Lends a connection to a read that may take long. */
  async lendCostly<T>(
    read: (client: PostgresClient) => Promise<T>,
    recipient: Recipient | undefined,
  ): Promise<T> {
    return this.#costly.run(async (client) => {
      try {
        return await againWhileOutdated(() => client.withinLimits(() => read(client)))
      } finally {
        if (client.isSpent) void client.end()
      }
    }, recipient)
  }

  /** Opens a connection for exclusive use, which the caller must destroy. `queryTimeoutMs` is 0 for no limit. */
  open(queryTimeoutMs: number): Promise<PostgresClient> {
    return this.#admission.insist(() => this.#open(queryTimeoutMs), this.#options.waitTimeoutMs)
  }

  /** Gives up one of the shared connections. */
  yieldOne(): void {
    const client = this.#bestShared()
    if (client === undefined) return
    this.#shared.splice(this.#shared.indexOf(client), 1)
    void client.retire()
  }

  load(): ConnectionLoad[] {
    return [
      this.#sharedLoad(),
      { use: 'costly reads', ...this.#costly.load() },
      { use: 'transactions', ...this.#lent.load() },
    ]
  }

  #sharedLoad(): ConnectionLoad {
    let [busy, inFlight, longestWaitMs] = [0, 0, 0]
    for (const client of this.#shared) {
      if (client.inFlight > 0) busy += 1
      inFlight += client.inFlight
      longestWaitMs = Math.max(longestWaitMs, client.waitMs)
    }
    const waiting = inFlight - busy + this.#waiting + this.#line.size
    longestWaitMs = Math.max(longestWaitMs, this.#line.longestWaitMs)
    const { poolSize: size } = this.#options
    return { use: 'queries', size, open: this.#shared.length, busy, waiting, longestWaitMs }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#watchdog.stop()
    await Promise.all([...this.#all].map((client) => client.end()))
  }

  /** Undefined if another connection should be opened first. */
  #readyClient(): PostgresClient | undefined {
    const best = this.#bestShared()
    if (best === undefined || (best.inFlight > 0 && this.#mayGrow())) return undefined
    if (best.inFlight * this.#shared.length > this.#options.maxWaiting) throw this.#tooManyWait()
    if (!best.isSpent) return best
    this.yieldOne()
    return this.#readyClient()
  }

  #mayGrow(): boolean {
    return this.#shared.length < this.#options.poolSize && this.#admission.isOpen
  }

  #bestShared(): PostgresClient | undefined {
    let best: PostgresClient | undefined
    for (const client of this.#shared) {
      if (!client.isClosed && (best === undefined || client.inFlight < best.inFlight)) best = client
    }
    return best
  }

  async #sendOnAnother(text: string, parameters: unknown[]): Promise<PostgresResult> {
    if (this.#waiting > this.#options.maxWaiting) throw this.#tooManyWait()
    this.#waiting += 1
    try {
      await this.#grow()
    } finally {
      this.#waiting -= 1
    }
    const client = this.#bestShared()
    if (client === undefined)
      throw new DatabaseError('unavailable', 'the connection to the database was lost')
    return client.query(text, parameters)
  }

  /** Opens a shared connection, one at a time. If that fails, the existing ones have to suffice. */
  async #grow(): Promise<void> {
    this.#opening ??= this.#share().finally(() => {
      this.#opening = undefined
    })
    try {
      await this.#opening
    } catch (error) {
      if (this.#bestShared() === undefined) throw error
    }
  }

  async #share(): Promise<void> {
    const { queryTimeoutMs, waitTimeoutMs } = this.#options
    const open = () => this.#open(queryTimeoutMs)
    const openFirst = () => this.#admission.insist(open, waitTimeoutMs, this)
    const openAnother = () =>
      this.#admission.ask(open).catch((error) => {
        // The existing one may have been given up to a transaction meanwhile.
        if (this.#bestShared() !== undefined) throw error
        return openFirst()
      })
    this.#shared.push(await (this.#bestShared() === undefined ? openFirst() : openAnother()))
  }

  #open(queryTimeoutMs: number): Promise<PostgresClient> {
    return this.#breaker.guard(() => this.#connect(queryTimeoutMs))
  }

  async #connect(queryTimeoutMs: number): Promise<PostgresClient> {
    // Otherwise the connection would never be closed, and the process would not exit.
    if (this.#isClosed) throw new DatabaseError('unavailable', 'the database was closed')
    const { url } = this.#options
    const opening = this.#connector.open({
      ...{ url, queryTimeoutMs, preparations: this.#preparations },
      connectTimeoutMs: connectPatienceMs(this.#options),
      onClose: (closed) => this.#forget(closed),
      onAnswer: () => this.#advance(),
    })
    const client = await opening.catch((error) => {
      throw classifyPostgresError(error, this.#tables)
    })
    this.#all.add(client)
    this.#watchdog.add(client)
    if (this.#isClosed) client.destroy()
    return client
  }

  /**
   * Terminates the server process instead of cancelling the query: the server loses a request to cancel a query that
   * has not begun yet.
   */
  async #cancel(client: PostgresClient): Promise<void> {
    try {
      const processId = await client.claimProcess()
      if (processId !== undefined) await this.send('select pg_terminate_backend($1)', [processId])
    } finally {
      client.destroy()
    }
  }

  #tooManyWait(): DatabaseError {
    const { maxWaiting } = this.#options
    const message = `${maxWaiting} queries are already waiting for the database`
    return new DatabaseError('busy', message, { reason: 'queue_full' })
  }

  #forget(client: PostgresClient): void {
    this.#watchdog.remove(client)
    this.#all.delete(client)
    const place = this.#shared.indexOf(client)
    if (place !== -1) this.#shared.splice(place, 1)
    this.#advance()
  }
}
