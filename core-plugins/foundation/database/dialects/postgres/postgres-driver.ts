import { type SQL, sql } from 'drizzle-orm'
import type { Notifications } from '../../connections/notifications.ts'
import type { ServerOptions } from '../../connections/server-options.ts'
import type { TightLimit } from '../../database-service.ts'
import type { Driver } from '../../driver.ts'
import { KnownTables } from '../../schema/known-tables.ts'
import type { SnapshotSource } from '../../snapshot.ts'
import { compileStatement, isCostly } from '../../statements/compiled-statement.ts'
import type { Recipient, RunResult } from '../../statements/query-target.ts'
import { runTransaction, type TransactionOptions } from '../../statements/run-transaction.ts'
import type { ColumnKinds, Row, Statement, StatementOptions, Values } from '../../statements/statement.ts'
import type { Transaction, TransactionKind } from '../../statements/transaction.ts'
import type { SchemaStore } from '../../sync/schema-store.ts'
import type { TableSpec } from '../../tables/table-spec.ts'
import { idleSessionsEnd } from './idle-sessions.ts'
import { deafBehindPooler, endlessBehindPooler } from './pooler-limits.ts'
import { PostgresClients } from './postgres-clients.ts'
import { postgresCompiler, postgresDialect } from './postgres-dialect.ts'
import { PostgresNotifications } from './postgres-notifications.ts'
import { PostgresQueries } from './postgres-queries.ts'
import { createPostgresSchemaStore } from './postgres-schema-store.ts'
import { PostgresSession } from './postgres-session.ts'
import { hasOwnSession } from './server-path.ts'

const placeholder = (name: string) => postgresDialect.placeholder(name, 'text')

/**
 * A connection to PostgreSQL. Queries outside transactions go to the least busy of several connections, which
 * are pipelined; a transaction has a connection to itself.
 */
export class PostgresDriver implements Driver {
  readonly dialect = postgresDialect
  readonly schema: SchemaStore
  readonly snapshotSource: SnapshotSource
  readonly #directUrl: string | undefined
  readonly #notifications: PostgresNotifications
  readonly #tables = new KnownTables()
  readonly #clients: PostgresClients
  readonly #queries: PostgresQueries
  readonly #transactions: TransactionOptions
  readonly #ping = this.prepare(sql`select 1`)
  readonly #notify = this.prepare(sql`select pg_notify(${placeholder('channel')}, ${placeholder('message')})`)
  // PostgreSQL 13 has no limit for idle sessions.
  readonly #limitsOfAccount = this.prepare<{ account: string; limit: string; idle: string | null }>(
    sql`select current_user::text as "account", current_setting('statement_timeout') as "limit",
      current_setting('idle_session_timeout', true) as "idle"`,
  )
  readonly #tableCount = this.prepare<{
    count: number
  }>(sql`select count(*) as "count" from pg_catalog.pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    and ${postgresDialect.inList(sql`relname::text`, 'names', 'text')}`)

  constructor(options: ServerOptions) {
    const clients = new PostgresClients(options, this.#tables)
    const { directUrl, connectTimeoutMs } = options
    const target = directUrl ?? options.url
    this.snapshotSource = { dialect: 'postgres', target, connectTimeoutMs }
    this.#clients = clients
    this.#directUrl = directUrl
    this.#queries = new PostgresQueries(
      (text, parameters, recipient) => clients.send(text, parameters, recipient),
      this.#tables,
    )
    this.#transactions = {
      withSession: (use, { durability = 'full' }) =>
        clients.lend((client) => use(new PostgresSession(client, this.#tables, durability))),
      idleTimeoutMs: options.queryTimeoutMs,
      onFull: options.onFull,
      log: options.log,
    }
    this.schema = createPostgresSchemaStore(clients, this.#tables)
    this.#notifications = new PostgresNotifications({
      url: target,
      connectTimeoutMs,
      send: async (channel, message) => {
        await this.get(this.#notify, { channel, message })
      },
    })
    clients.admission.add(this.#notifications)
  }

  /** Undefined behind a pooler that pools by transaction: it accepts listeners but sends them no messages. */
  get notifications(): Notifications | undefined {
    const canListen = this.#directUrl !== undefined || hasOwnSession(this.#clients.path)
    return canListen ? this.#notifications : undefined
  }

  prepare<R = Row>(query: SQL, columns: ColumnKinds = {}, options?: StatementOptions): Statement<R> {
    return compileStatement<R>(query, columns, postgresCompiler, options)
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

  transaction<T>(work: (tx: Transaction) => Promise<T>, kind?: TransactionKind): Promise<T> {
    return runTransaction(work, this.#transactions, kind)
  }

  async ping(): Promise<void> {
    await this.get(this.#ping)
  }

  load() {
    return this.#clients.load()
  }

  readonly tightLimits = async (): Promise<readonly TightLimit[]> => {
    const { account, limit, idle = '0' } = (await this.get(this.#limitsOfAccount)) ?? {}
    if (hasOwnSession(this.#clients.path)) {
      return idle === null || idle === '0' ? [] : [idleSessionsEnd(String(account), idle)]
    }
    return [
      ...(this.#directUrl === undefined ? [deafBehindPooler] : []),
      ...(limit === '0' ? [endlessBehindPooler(String(account))] : []),
    ]
  }

  async tableCount(): Promise<number> {
    const names = postgresDialect.list(this.#tables.names, 'text')
    return (await this.get(this.#tableCount, { names }))?.count ?? 0
  }

  useTables(tables: readonly TableSpec[]): void {
    this.#tables.use(tables)
  }

  async close(): Promise<void> {
    await this.#notifications.close()
    await this.#clients.close()
  }

  #readCostly<T>(read: (queries: PostgresQueries) => Promise<T>, recipient?: Recipient): Promise<T> {
    return this.#clients.lendCostly(
      (client) =>
        read(new PostgresQueries((text, parameters) => client.query(text, parameters), this.#tables)),
      recipient,
    )
  }
}
