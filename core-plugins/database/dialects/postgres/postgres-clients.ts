import { Breaker } from '../../breaker.ts'
import { type ConnectionLoad, DatabaseError } from '../../database.ts'
import { Pool } from '../../pool.ts'
import { breakerPauseMs, type ServerOptions } from '../../server-options.ts'
import { Watchdog } from '../../watchdog.ts'
import { PostgresClient, type PostgresResult } from './postgres-client.ts'

/** All connections of this process: some shared by queries, others lent to one transaction each. */
export class PostgresClients {
  readonly #options: ServerOptions
  readonly #watchdog = new Watchdog()
  readonly #breaker: Breaker
  readonly #all = new Set<PostgresClient>()
  readonly #shared: PostgresClient[] = []
  readonly #lent: Pool<PostgresClient>
  #isClosed = false

  constructor(options: ServerOptions) {
    this.#options = options
    this.#breaker = new Breaker(breakerPauseMs, options.connectTimeoutMs)
    this.#lent = new Pool({
      size: options.transactionPoolSize,
      maxWaiting: options.maxWaiting,
      waitTimeoutMs: options.waitTimeoutMs,
      open: () => this.open(options.queryTimeoutMs),
      isUsable: (client) => !client.isClosed,
    })
  }

  /** Sends a query on the least busy of the shared connections. */
  send(text: string, parameters: unknown[]): Promise<PostgresResult> {
    this.#breaker.check()
    return this.#leastBusy().query(text, parameters)
  }

  /** Lends a connection to `use` alone. */
  async lend<T>(use: (client: PostgresClient) => Promise<T>): Promise<T> {
    this.#breaker.check()
    const client = await this.#lent.acquire()
    try {
      return await use(client)
    } finally {
      if (client.isFull) void client.end()
      this.#lent.release(client)
    }
  }

  /** A connection of the caller's own, to be destroyed by him. `queryTimeoutMs` is 0 for no limit. */
  open(queryTimeoutMs: number): PostgresClient {
    // Nobody would ever end it, and the process would not either.
    if (this.#isClosed) throw new DatabaseError('unavailable', 'the database was closed')
    const client = new PostgresClient({
      url: this.#options.url,
      connectTimeoutMs: this.#options.connectTimeoutMs,
      queryTimeoutMs,
      breaker: this.#breaker,
      onClose: (closed) => this.#forget(closed),
    })
    this.#all.add(client)
    this.#watchdog.add(client)
    return client
  }

  load(): ConnectionLoad[] {
    const busy = this.#shared.filter(({ inFlight }) => inFlight > 0).length
    const inFlight = this.#shared.reduce((sum, client) => sum + client.inFlight, 0)
    return [
      { use: 'queries', open: this.#shared.length, busy, waiting: inFlight - busy },
      { use: 'transactions', ...this.#lent.load() },
    ]
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#watchdog.stop()
    await Promise.all([...this.#all].map((client) => client.end()))
  }

  #leastBusy(): PostgresClient {
    const { poolSize, maxWaiting } = this.#options
    const best = this.#bestShared()
    if (best === undefined || (best.inFlight > 0 && this.#shared.length < poolSize)) return this.#share()
    if (best.inFlight * this.#shared.length > maxWaiting) {
      throw new DatabaseError('busy', `${maxWaiting} queries are waiting for the database already`)
    }
    if (!best.isFull) return best
    void best.end()
    return this.#share()
  }

  #bestShared(): PostgresClient | undefined {
    let best: PostgresClient | undefined
    for (const client of this.#shared) {
      if (!client.isClosed && (best === undefined || client.inFlight < best.inFlight)) best = client
    }
    return best
  }

  #share(): PostgresClient {
    const client = this.open(this.#options.queryTimeoutMs)
    this.#shared.push(client)
    return client
  }

  #forget(client: PostgresClient): void {
    this.#watchdog.remove(client)
    this.#all.delete(client)
    const place = this.#shared.indexOf(client)
    if (place !== -1) this.#shared.splice(place, 1)
  }
}
