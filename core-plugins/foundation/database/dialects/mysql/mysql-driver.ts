import { type SQL, sql } from 'drizzle-orm'
import type { ServerOptions } from '../../connections/server-options.ts'
import type { Dialect } from '../../dialect.ts'
import type { Driver } from '../../driver.ts'
import { KnownTables } from '../../schema/known-tables.ts'
import type { SnapshotSource } from '../../snapshot.ts'
import { compileStatement, isCostly } from '../../statements/compiled-statement.ts'
import type { Recipient, RunResult } from '../../statements/query-target.ts'
import { runTransaction, type TransactionOptions } from '../../statements/run-transaction.ts'
import type { ColumnKinds, Row, Statement, StatementOptions, Values } from '../../statements/statement.ts'
import type { Transaction } from '../../statements/transaction.ts'
import type { SchemaStore } from '../../sync/schema-store.ts'
import type { TableSpec } from '../../tables/table-spec.ts'
import { MysqlConnections } from './mysql-connections.ts'
import { createMysqlDialect, mysqlCompiler } from './mysql-dialect.ts'
import { MysqlQueries } from './mysql-queries.ts'
import { createMysqlSchemaDialect } from './mysql-schema.ts'
import { createMysqlSchemaStore } from './mysql-schema-store.ts'
import type { MysqlServer } from './mysql-server.ts'
import { MysqlSession } from './mysql-session.ts'

/** A connection to MySQL 8, or MariaDB 10.6 and later. */
export class MysqlDriver implements Driver {
  readonly dialect: Dialect
  readonly schema: SchemaStore
  readonly snapshotSource: SnapshotSource
  readonly #tables: KnownTables
  readonly #connections: MysqlConnections
  readonly #queries: MysqlQueries
  readonly #transactions: TransactionOptions
  readonly #ping = this.prepare(sql`select 1 as pong`)
  readonly #tableCount: Statement<{ count: number }>

  /**
   * Connects first, as only the server knows which product it is.
   * @throws DatabaseError
   */
  static async open(options: ServerOptions): Promise<MysqlDriver> {
    const tables = new KnownTables()
    const connections = new MysqlConnections(options, tables)
    const server = await connections.forQuery(async (connection) => connection.server)
    return new MysqlDriver({ options, tables, connections, server })
  }

  private constructor(parts: {
    readonly options: ServerOptions
    readonly tables: KnownTables
    readonly connections: MysqlConnections
    readonly server: MysqlServer
  }) {
    const { options, tables, connections, server } = parts
    this.dialect = createMysqlDialect(server)
    const { url: target, connectTimeoutMs } = options
    this.snapshotSource = { dialect: 'mysql', target, connectTimeoutMs }
    this.#tables = tables
    this.#connections = connections
    this.#queries = new MysqlQueries(
      (text, parameters, recipient) =>
        connections.forQuery((connection) => connection.execute(text, parameters), recipient),
      tables,
    )
    this.#transactions = {
      withSession: (use) =>
        connections.forTransaction((connection) => use(new MysqlSession(connection, tables))),
      idleTimeoutMs: options.queryTimeoutMs,
      onFull: options.onFull,
      log: options.log,
    }
    const { dialect } = this
    const schemaDialect = createMysqlSchemaDialect(server, dialect)
    this.schema = createMysqlSchemaStore({ connections, tables, dialect, schemaDialect })
    this.#tableCount = this.prepare(sql`select count(*) as "count" from information_schema.tables
      where table_schema = database() and ${dialect.inList(sql`table_name`, 'names', 'text')}`)
  }

  prepare<R = Row>(query: SQL, columns: ColumnKinds = {}, options?: StatementOptions): Statement<R> {
    return compileStatement<R>(query, columns, mysqlCompiler, options)
  }

  all<R>(statement: Statement<R>, values?: Values, recipient?: Recipient): Promise<R[]> {
    if (isCostly(statement)) return this.#readCostly((queries) => queries.all(statement, values), recipient)
    return this.#queries.all(statement, values, recipient)
  }

  get<R>(statement: Statement<R>, values?: Values, recipient?: Recipient): Promise<R | undefined> {
    if (isCostly(statement)) return this.#readCostly((queries) => queries.get(statement, values), recipient)
    return this.#queries.get(statement, values, recipient)
  }

  run(statement: Statement, values?: Values): Promise<RunResult> {
    return this.#queries.run(statement, values)
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return runTransaction(work, this.#transactions)
  }

  async ping(): Promise<void> {
    await this.get(this.#ping)
  }

  load() {
    return this.#connections.load()
  }

  readonly tightLimits = () => this.#connections.tightLimits()

  async tableCount(): Promise<number> {
    const names = this.dialect.list(this.#tables.names, 'text')
    return (await this.get(this.#tableCount, { names }))?.count ?? 0
  }

  useTables(tables: readonly TableSpec[]): void {
    this.#tables.use(tables)
  }

  async close(): Promise<void> {
    this.#connections.close()
  }

  #readCostly<T>(read: (queries: MysqlQueries) => Promise<T>, recipient?: Recipient): Promise<T> {
    return this.#connections.forCostlyRead(
      (connection) =>
        read(new MysqlQueries((text, parameters) => connection.execute(text, parameters), this.#tables)),
      recipient,
    )
  }
}
