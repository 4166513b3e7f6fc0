import { type SQL, sql } from 'drizzle-orm'
import type { Log } from '../../../../kernel/index.ts'
import { Breaker } from '../../breaker.ts'
import {
  type ColumnKinds,
  DatabaseError,
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
import { PostgresClient, type PostgresResult } from './postgres-client.ts'
import { postgresCompiler, postgresDialect } from './postgres-dialect.ts'
import { classifyPostgresError } from './postgres-error.ts'
import { introspectPostgres } from './postgres-introspection.ts'
import { postgresSchemaDialect } from './postgres-schema.ts'
import { PostgresQueries } from './postgres-session.ts'

export interface PostgresOptions {
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

// Any number does that every process of the service takes and no other software on the same database.
const syncLockKey = 7_265_748_131

const tableCountQuery = sql`select count(*) as "count" from pg_catalog.pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
  and relname = any(${sql.placeholder('names')}::text[])`

/**
 * A connection to PostgreSQL. Queries outside of transactions go to the least busy of several connections, which sends
 * them on before the ones in front are answered; a transaction has a connection to itself.
 */
export function openPostgres(options: PostgresOptions): Driver {
  const tables = new KnownTables()
  const insertTexts = new WeakMap<Statement<unknown>, string>()
  const watchdog = new Watchdog()
  const breaker = new Breaker(breakerPauseMs, options.connectTimeoutMs)
  const clients: PostgresClient[] = []
  const everyClient = new Set<PostgresClient>()

  function openClient(queryTimeoutMs = options.queryTimeoutMs): PostgresClient {
    const client = new PostgresClient({
      url: options.url,
      connectTimeoutMs: options.connectTimeoutMs,
      queryTimeoutMs,
      onClose(closed) {
        watchdog.remove(closed)
        everyClient.delete(closed)
        const place = clients.indexOf(closed)
        if (place !== -1) clients.splice(place, 1)
      },
    })
    everyClient.add(client)
    watchdog.add(client)
    return client
  }

  function leastBusy(): PostgresClient {
    let best: PostgresClient | undefined
    for (const client of clients) {
      if (best === undefined || client.inFlight < best.inFlight) best = client
    }
    if (best === undefined || (best.inFlight > 0 && clients.length < options.poolSize)) {
      best = openClient()
      clients.push(best)
    }
    if (best.inFlight * clients.length > options.maxWaiting) {
      throw new DatabaseError('busy', `${options.maxWaiting} queries are waiting for the database already`)
    }
    return best
  }

  function send(client: PostgresClient, query: () => Promise<PostgresResult>): Promise<PostgresResult> {
    return query().then(
      (result) => {
        breaker.succeeded()
        return result
      },
      (error) => {
        const { kind } = classifyPostgresError(error, tables)
        if (kind === 'unavailable' && !client.hasAnswered) breaker.failed()
        throw error
      },
    )
  }

  const queries = new PostgresQueries(
    (text, parameters) => {
      breaker.check()
      const client = leastBusy()
      return send(client, () => client.query(text, parameters))
    },
    tables,
    insertTexts,
  )

  const pool = new Pool<PostgresClient>({
    size: options.transactionPoolSize,
    maxWaiting: options.maxWaiting,
    waitTimeoutMs: options.waitTimeoutMs,
    open: () => openClient(),
    isUsable: (client) => !client.isClosed,
  })

  /** Fails what comes after the connection was lost, which would otherwise land outside of the transaction. */
  function sendOn(client: PostgresClient, query: () => Promise<PostgresResult>) {
    if (client.isClosed) return Promise.reject(connectionLost())
    return send(client, query)
  }

  function sessionOn(client: PostgresClient): Session {
    // Sent on with the first query, and waited for with the commit at the latest.
    const begun = sendOn(client, () => client.command('begin'))
    begun.catch(() => undefined)
    const inner = new PostgresQueries(
      (text, parameters) => sendOn(client, () => client.query(text, parameters)),
      tables,
      insertTexts,
    )
    return {
      all: (statement, values) => inner.all(statement, values),
      get: (statement, values) => inner.get(statement, values),
      run: (statement, values) => inner.run(statement, values),
      async commit() {
        try {
          await begun
          const { command } = await sendOn(client, () => client.command('commit'))
          if (command !== 'COMMIT') throw new DatabaseError('other', 'the transaction was rolled back')
        } catch (error) {
          throw classifyPostgresError(error, tables)
        }
      },
      async rollback() {
        if (client.isClosed) return
        await client.command('rollback').catch(() => client.destroy())
      },
    }
  }

  async function withSession<T>(use: (session: Session) => Promise<T>): Promise<T> {
    breaker.check()
    const client = await pool.acquire()
    try {
      return await use(sessionOn(client))
    } finally {
      pool.release(client)
    }
  }

  const transactionOptions = { withSession, idleTimeoutMs: options.queryTimeoutMs, log: options.log }

  function prepare<R>(query: SQL, columns: ColumnKinds = {}): Statement<R> {
    return compileStatement<R>(query, columns, postgresCompiler)
  }

  async function withSchemaConnection<T>(work: (connection: SchemaConnection) => Promise<T>): Promise<T> {
    const client = openClient(0)
    const inner = new PostgresQueries(
      (text, parameters) => sendOn(client, () => client.query(text, parameters)),
      tables,
      insertTexts,
    )
    const execute = async (statement: string) => {
      try {
        await sendOn(client, () => client.command(statement))
      } catch (error) {
        throw classifyPostgresError(error, tables)
      }
    }
    try {
      return await work({
        dialect: postgresDialect,
        schemaDialect: postgresSchemaDialect,
        all: (statement, values) => inner.all(statement, values),
        get: (statement, values) => inner.get(statement, values),
        run: (statement, values) => inner.run(statement, values),
        prepare,
        execute,
        introspect: () => introspectPostgres(inner),
      })
    } finally {
      client.destroy()
    }
  }

  const tableCount = prepare<{ count: number }>(tableCountQuery)
  const pingStatement = prepare(sql`select 1`)

  return {
    dialect: postgresDialect,
    prepare,
    all: <R>(statement: Statement<R>, values?: Values) => queries.all(statement, values),
    get: <R>(statement: Statement<R>, values?: Values) => queries.get(statement, values),
    run: (statement: Statement<Row>, values?: Values) => queries.run(statement, values),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => runTransaction(work, transactionOptions),
    async ping() {
      await queries.get(pingStatement)
    },
    async tableCount() {
      const names = postgresDialect.list(tables.names, 'text')
      return (await queries.get(tableCount, { names }))?.count ?? 0
    },
    useTables: (specs) => tables.use(specs),
    schema: {
      inspect: withSchemaConnection,
      exclusively: (work) =>
        withSchemaConnection(async (connection) => {
          // One transaction: when anything fails, or the process ends, nothing has changed.
          await connection.execute('begin')
          await connection.execute(`select pg_advisory_xact_lock(${syncLockKey})`)
          const result = await work(connection)
          await connection.execute('commit')
          return result
        }),
      isMissingTable: (error) => (error as { cause?: { code?: string } }).cause?.code === '42P01',
    },
    async close() {
      watchdog.stop()
      await Promise.all([...everyClient].map((client) => client.end()))
    },
  }
}

function connectionLost(): DatabaseError {
  return new DatabaseError('unavailable', 'the connection to the database was lost')
}
