import { Breaker } from '../../breaker.ts'
import { type ConnectionLoad, DatabaseError } from '../../database.ts'
import type { KnownTables } from '../../known-tables.ts'
import { Pool } from '../../pool.ts'
import { breakerPauseMs, type ServerOptions } from '../../server-options.ts'
import { Watchdog } from '../../watchdog.ts'
import { MysqlConnection, type MysqlConnectionOptions } from './mysql-connection.ts'
import { classifyMysqlError } from './mysql-error.ts'

/** All connections of this process: those for queries, and those for transactions. */
export class MysqlConnections {
  readonly #options: ServerOptions
  readonly #tables: KnownTables
  readonly #watchdog = new Watchdog()
  readonly #breaker: Breaker
  readonly #all = new Set<MysqlConnection>()
  readonly #forQueries: Pool<MysqlConnection>
  readonly #forTransactions: Pool<MysqlConnection>
  #isClosed = false

  constructor(options: ServerOptions, tables: KnownTables) {
    this.#options = options
    this.#tables = tables
    this.#breaker = new Breaker(breakerPauseMs, options.connectTimeoutMs)
    this.#forQueries = this.#createPool(options.poolSize, { autocommit: true })
    this.#forTransactions = this.#createPool(options.transactionPoolSize, { autocommit: false })
  }

  forQuery<T>(use: (connection: MysqlConnection) => Promise<T>): Promise<T> {
    return this.#lend(this.#forQueries, use)
  }

  /** The connection commits only when told to. */
  forTransaction<T>(use: (connection: MysqlConnection) => Promise<T>): Promise<T> {
    return this.#lend(this.#forTransactions, use)
  }

  /** A connection of the caller's own, to be destroyed by him. @throws DatabaseError */
  async open(settings: Pick<MysqlConnectionOptions, 'autocommit'> & { queryTimeoutMs?: number }) {
    // Nobody would ever end it, and the process would not either.
    if (this.#isClosed) throw new DatabaseError('unavailable', 'the database was closed')
    this.#breaker.check()
    const { url, connectTimeoutMs, queryTimeoutMs, waitTimeoutMs: lockWaitTimeoutMs } = this.#options
    const onClose = (connection: MysqlConnection) => this.#forget(connection)
    const own = { url, connectTimeoutMs, queryTimeoutMs, lockWaitTimeoutMs, onClose }
    try {
      const connection = await MysqlConnection.open({ ...own, ...settings })
      this.#breaker.succeeded()
      this.#all.add(connection)
      this.#watchdog.add(connection)
      if (this.#isClosed) connection.destroy()
      return connection
    } catch (error) {
      const classified = classifyMysqlError(error, this.#tables)
      if (classified.kind === 'unavailable') this.#breaker.failed()
      throw classified
    }
  }

  load(): ConnectionLoad[] {
    return [
      { use: 'queries', ...this.#forQueries.load() },
      { use: 'transactions', ...this.#forTransactions.load() },
    ]
  }

  close(): void {
    this.#isClosed = true
    this.#watchdog.stop()
    for (const connection of this.#all) connection.destroy()
  }

  #createPool(size: number, settings: { autocommit: boolean }): Pool<MysqlConnection> {
    const { maxWaiting, waitTimeoutMs } = this.#options
    return new Pool({
      size,
      maxWaiting,
      waitTimeoutMs,
      open: () => this.open(settings),
      isUsable: (connection) => !connection.isClosed,
    })
  }

  async #lend<T>(pool: Pool<MysqlConnection>, use: (connection: MysqlConnection) => Promise<T>): Promise<T> {
    const connection = await pool.acquire()
    try {
      return await use(connection)
    } finally {
      pool.release(connection)
    }
  }

  #forget(connection: MysqlConnection): void {
    this.#watchdog.remove(connection)
    this.#all.delete(connection)
  }
}
