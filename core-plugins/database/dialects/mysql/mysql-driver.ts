import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import type { Log } from '../../../../kernel/index.ts'
import { Breaker } from '../../breaker.ts'
import {
  type ColumnKinds,
  DatabaseError,
  type Queries,
  type Row,
  type Statement,
  type Transaction,
  type Values,
} from '../../database.ts'
import type { Driver } from '../../driver.ts'
import { KnownTables } from '../../known-tables.ts'
import { Pool } from '../../pool.ts'
import { compileStatement } from '../../statement.ts'
import type { SchemaConnection } from '../../sync/schema-store.ts'
import { runTransaction, type Session } from '../../transaction.ts'
import { Watchdog } from '../../watchdog.ts'
import { MysqlConnection, type MysqlConnectionOptions } from './mysql-connection.ts'
import { createMysqlDialect, mysqlCompiler } from './mysql-dialect.ts'
import { classifyMysqlError } from './mysql-error.ts'
import { introspectMysql } from './mysql-introspection.ts'
import { createMysqlSchemaDialect } from './mysql-schema.ts'
import { MysqlQueries } from './mysql-session.ts'

export interface MysqlOptions {
  readonly url: string
  readonly poolSize: number
  readonly transactionPoolSize: number
  readonly maxWaiting: number
  readonly waitTimeoutMs: number
  readonly connectTimeoutMs: number
  readonly queryTimeoutMs: number
  readonly log: Log
}

const breakerPauseMs = 200

const syncLockTimeoutSeconds = 50

const tableCountQuery = sql`select count(*) as "count" from information_schema.tables
  where table_schema = database() and table_name in
    (select items.item from json_table(${sql.placeholder('names')}, '$[*]' columns (item varchar(64) path '$')) items)`

/** A connection to MySQL 8 or MariaDB 10.6 and later. A first connection tells which of them it is. */
export async function openMysql(options: MysqlOptions): Promise<Driver> {
  const tables = new KnownTables()
  const watchdog = new Watchdog()
  const breaker = new Breaker(breakerPauseMs, options.connectTimeoutMs)
  const everyConnection = new Set<MysqlConnection>()

  async function open(settings: Partial<MysqlConnectionOptions>): Promise<MysqlConnection> {
    try {
      const connection = await MysqlConnection.open({
        url: options.url,
        connectTimeoutMs: options.connectTimeoutMs,
        queryTimeoutMs: options.queryTimeoutMs,
        lockWaitTimeoutMs: options.waitTimeoutMs,
        autocommit: true,
        ...settings,
        onClose(closed) {
          watchdog.remove(closed)
          everyConnection.delete(closed)
        },
      })
      breaker.succeeded()
      everyConnection.add(connection)
      watchdog.add(connection)
      return connection
    } catch (error) {
      const classified = classifyMysqlError(error, tables)
      if (classified.kind === 'unavailable') breaker.failed()
      throw classified
    }
  }

  function createPool(size: number, autocommit: boolean): Pool<MysqlConnection> {
    return new Pool({
      size,
      maxWaiting: options.maxWaiting,
      waitTimeoutMs: options.waitTimeoutMs,
      open: () => open({ autocommit }),
      isUsable: (connection) => !connection.isClosed,
    })
  }

  const queryPool = createPool(options.poolSize, true)
  const transactionPool = createPool(options.transactionPoolSize, false)

  async function withConnection<T>(
    pool: Pool<MysqlConnection>,
    use: (connection: MysqlConnection) => Promise<T>,
  ): Promise<T> {
    breaker.check()
    const connection = await pool.acquire()
    try {
      return await use(connection)
    } finally {
      pool.release(connection)
    }
  }

  const { server } = await withConnection(queryPool, async (connection) => connection)
  const dialect = createMysqlDialect(server)
  const schemaDialect = createMysqlSchemaDialect(server, dialect)

  const queries = new MysqlQueries(
    (text, parameters) => withConnection(queryPool, (connection) => connection.execute(text, parameters)),
    tables,
  )

  function queriesOn(connection: MysqlConnection): Queries {
    return new MysqlQueries((text, parameters) => connection.execute(text, parameters), tables)
  }

  function withSession<T>(use: (session: Session) => Promise<T>): Promise<T> {
    return withConnection(transactionPool, (connection) => {
      const inner = queriesOn(connection)
      return use({
        all: (statement, values) => inner.all(statement, values),
        get: (statement, values) => inner.get(statement, values),
        run: (statement, values) => inner.run(statement, values),
        async commit() {
          try {
            await connection.command('commit')
          } catch (error) {
            throw classifyMysqlError(error, tables)
          }
        },
        async rollback() {
          if (connection.isClosed) return
          await connection.command('rollback').catch(() => connection.destroy())
        },
      })
    })
  }

  const transactionOptions = { withSession, idleTimeoutMs: options.queryTimeoutMs, log: options.log }

  function prepare<R>(query: SQL, columns: ColumnKinds = {}): Statement<R> {
    return compileStatement<R>(query, columns, mysqlCompiler)
  }

  async function withSchemaConnection<T>(work: (connection: SchemaConnection) => Promise<T>): Promise<T> {
    breaker.check()
    const connection = await open({ queryTimeoutMs: 0 })
    const inner = queriesOn(connection)
    try {
      return await work({
        dialect,
        schemaDialect,
        all: (statement, values) => inner.all(statement, values),
        get: (statement, values) => inner.get(statement, values),
        run: (statement, values) => inner.run(statement, values),
        prepare,
        async execute(statement) {
          try {
            await connection.command(statement)
          } catch (error) {
            throw classifyMysqlError(error, tables, statement)
          }
        },
        introspect: () => introspectMysql(inner),
      })
    } finally {
      // The server gives the lock of a sync back with the connection.
      connection.destroy()
    }
  }

  const tableCount = prepare<{ count: number }>(tableCountQuery)
  const pingStatement = prepare(sql`select 1 as pong`)

  return {
    dialect,
    prepare,
    all: <R>(statement: Statement<R>, values?: Values) => queries.all(statement, values),
    get: <R>(statement: Statement<R>, values?: Values) => queries.get(statement, values),
    run: (statement: Statement<Row>, values?: Values) => queries.run(statement, values),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => runTransaction(work, transactionOptions),
    async ping() {
      await queries.get(pingStatement)
    },
    async tableCount() {
      return (await queries.get(tableCount, { names: JSON.stringify(tables.names) }))?.count ?? 0
    },
    useTables: (specs) => tables.use(specs),
    schema: {
      inspect: withSchemaConnection,
      exclusively: (work) =>
        withSchemaConnection(async (connection) => {
          await takeSyncLock(connection)
          return work(connection)
        }),
      isMissingTable: (error) => (error as { cause?: { errno?: number } }).cause?.errno === 1146,
    },
    async close() {
      watchdog.stop()
      for (const connection of everyConnection) connection.destroy()
    },
  }
}

/** Locks are the server's, so the name tells the database too. */
async function takeSyncLock(connection: SchemaConnection): Promise<void> {
  const name = await connection.get(connection.prepare<{ name: string }>(sql`select database() as name`))
  const lock = `mortise sync ${createHash('sha1').update(String(name?.name)).digest('hex')}`
  const statement = connection.prepare<{ isTaken: number }>(
    sql`select get_lock(${lock}, ${syncLockTimeoutSeconds}) as ${sql.identifier('isTaken')}`,
  )
  const answer = await connection.get(statement)
  if (answer?.isTaken !== 1)
    throw new DatabaseError('busy', 'another process has been syncing the schema for too long')
}
