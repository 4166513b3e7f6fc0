import { Admission } from '../../connections/admission.ts'
import { Breaker } from '../../connections/breaker.ts'
import { Pool, type PoolOptions } from '../../connections/pool.ts'
import {
  breakerPauseMs,
  connectPatienceMs,
  costlyQueryTimeoutMs,
  type ServerOptions,
} from '../../connections/server-options.ts'
import { Watchdog } from '../../connections/watchdog.ts'
import { DatabaseError } from '../../database-error.ts'
import type { ConnectionLoad, TightLimit } from '../../database-service.ts'
import type { KnownTables } from '../../schema/known-tables.ts'
import { CostlyReads } from '../../statements/costly-reads.ts'
import type { Recipient } from '../../statements/query-target.ts'
import { MysqlConnection, type MysqlConnectionOptions } from './mysql-connection.ts'
import { classifyMysqlError } from './mysql-error.ts'
import { StatementShare } from './statement-share.ts'

/** Options of a session; `queryTimeoutMs` is 0 for no limit. */
type SessionSettings = Pick<MysqlConnectionOptions, 'autocommit'> & { readonly queryTimeoutMs?: number }

/** All connections of this process: for queries, for costly reads, and for transactions. */
export class MysqlConnections {
  readonly #options: ServerOptions
  readonly #tables: KnownTables
  readonly #breaker: Breaker
  readonly #watchdog: Watchdog
  readonly #admission = new Admission()
  readonly #statements: StatementShare
  readonly #all = new Set<MysqlConnection>()
  readonly #forQueries: Pool<MysqlConnection>
  readonly #forCostlyReads: CostlyReads<MysqlConnection>
  readonly #forTransactions: Pool<MysqlConnection>
  #isClosed = false

  constructor(options: ServerOptions, tables: KnownTables) {
    this.#options = options
    this.#tables = tables
    this.#breaker = new Breaker(breakerPauseMs, connectPatienceMs(options))
    this.#watchdog = new Watchdog({
      silenceMs: options.waitTimeoutMs,
      breaker: this.#breaker,
      probe: async () => (await this.#connect({ autocommit: true })).destroy(),
    })
    const { poolSize, transactionPoolSize, costlyPoolSize, processes = 1 } = options
    this.#statements = new StatementShare(processes * (poolSize + transactionPoolSize + costlyPoolSize))
    this.#forQueries = new Pool(this.#poolOptions(poolSize, { autocommit: true }))
    this.#forTransactions = new Pool(this.#poolOptions(transactionPoolSize, { autocommit: false }))
    const queryTimeoutMs = costlyQueryTimeoutMs(options)
    this.#forCostlyReads = new CostlyReads({
      ...this.#poolOptions(costlyPoolSize, { autocommit: true, queryTimeoutMs }),
      maxWaiting: options.maxCostlyWaiting,
      timeoutMs: options.readTimeoutMs,
      cancel: (connection) => this.#cancel(connection),
    })
  }

  forQuery<T>(use: (connection: MysqlConnection) => Promise<T>, recipient?: Recipient): Promise<T> {
    return this.#lend(this.#forQueries, use, recipient)
  }

  /** Lends a connection for a read that may take long. */
  forCostlyRead<T>(
    read: (connection: MysqlConnection) => Promise<T>,
    recipient: Recipient | undefined,
  ): Promise<T> {
    return this.#forCostlyReads.run(read, recipient)
  }

  /** Lends a connection that does not commit automatically. */
  forTransaction<T>(use: (connection: MysqlConnection) => Promise<T>): Promise<T> {
    return this.#lend(this.#forTransactions, use)
  }

  /**
   * Opens a connection for exclusive use, which the caller must destroy.
   * @throws DatabaseError
   */
  open(settings: SessionSettings): Promise<MysqlConnection> {
    return this.#admission.insist(() => this.#open(settings), this.#options.waitTimeoutMs)
  }

  load(): ConnectionLoad[] {
    return [
      { use: 'queries', ...this.#forQueries.load() },
      { use: 'costly reads', ...this.#forCostlyReads.load() },
      { use: 'transactions', ...this.#forTransactions.load() },
    ]
  }

  /** Whether the server's limit of prepared statements suffices for all these connections. */
  tightLimits(): Promise<readonly TightLimit[]> {
    return this.forQuery(async (connection) => {
      const { rows } = await connection.command("show global status like 'Prepared_stmt_count'")
      return this.#statements.tightness(connection.statementLimit, Number(rows[0]?.[1] ?? 0))
    })
  }

  close(): void {
    this.#isClosed = true
    this.#watchdog.stop()
    for (const connection of this.#all) connection.destroy()
  }

  #poolOptions(size: number, settings: SessionSettings): PoolOptions<MysqlConnection> {
    const { maxWaiting, waitTimeoutMs } = this.#options
    return {
      size,
      maxWaiting,
      waitTimeoutMs,
      admission: this.#admission,
      open: () => this.#open(settings),
      isUsable: (connection) => !connection.isClosed,
      end: (connection) => connection.destroy(),
    }
  }

  /** Kills the connection and not the query: the server loses a request to kill a query that has not begun yet. */
  async #cancel(connection: MysqlConnection): Promise<void> {
    try {
      await this.forQuery((other) => other.command(`kill ${connection.id}`))
    } finally {
      connection.destroy()
    }
  }

  #open(settings: SessionSettings): Promise<MysqlConnection> {
    return this.#breaker.guard(() => this.#connect(settings))
  }

  async #connect(settings: SessionSettings): Promise<MysqlConnection> {
    // Otherwise the connection would never be closed, and the process would not exit.
    if (this.#isClosed) throw new DatabaseError('unavailable', 'the database was closed')
    const { url, queryTimeoutMs, waitTimeoutMs: lockWaitTimeoutMs } = this.#options
    const connectTimeoutMs = connectPatienceMs(this.#options)
    const onClose = (connection: MysqlConnection) => this.#forget(connection)
    const statements = this.#statements
    const own = { url, connectTimeoutMs, queryTimeoutMs, lockWaitTimeoutMs, statements, onClose }
    const connection = await MysqlConnection.open({ ...own, ...settings }).catch((error) => {
      throw classifyMysqlError(error, this.#tables)
    })
    this.#all.add(connection)
    this.#watchdog.add(connection)
    if (this.#isClosed) connection.destroy()
    return connection
  }

  async #lend<T>(
    pool: Pool<MysqlConnection>,
    use: (connection: MysqlConnection) => Promise<T>,
    recipient?: Recipient,
  ): Promise<T> {
    const connection = await pool.acquire(recipient)
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
