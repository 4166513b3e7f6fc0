import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import { createMailbox, type Log } from '../../../../kernel/index.ts'
import {
  type ColumnKinds,
  DatabaseError,
  type Row,
  type RunResult,
  type Statement,
  type Transaction,
  type Values,
} from '../../database.ts'
import type { Driver } from '../../driver.ts'
import { KnownTables } from '../../known-tables.ts'
import { compileStatement } from '../../statement.ts'
import type { SchemaConnection } from '../../sync/schema-store.ts'
import { runTransaction, type Session } from '../../transaction.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { sqliteCompiler, sqliteDialect } from './sqlite-dialect.ts'
import { classifySqliteError, isBusy } from './sqlite-error.ts'
import { introspectSqlite } from './sqlite-introspection.ts'
import { sqliteSchemaDialect } from './sqlite-schema.ts'

export interface SqliteOptions {
  /** A path, or `:memory:`. */
  readonly file: string
  /** How long a write waits for another process that is writing. */
  readonly busyTimeoutMs: number
  readonly idleTransactionTimeoutMs: number
  readonly log: Log
}

const schemaLockTimeoutMs = 50_000

// Waiting for another process in SQLite itself blocks this one, so the wait for the write lock is done here.
const writerBusyTimeoutMs = 1
const readerBusyTimeoutMs = 1_000

const tableCountQuery = sql`select count(*) as "count" from sqlite_schema
  where type = 'table' and name in (select value from json_each(${sql.placeholder('names')}))`

/**
 * Opens a SQLite file, which is made where there is none. All writes go through one connection and one mailbox;
 * reads have a connection of their own and see what is committed.
 */
export function openSqlite(options: SqliteOptions): Driver {
  const { file, removeFile } = placeFile(options.file)
  const tables = new KnownTables()
  const common = ['foreign_keys = ON', `synchronous = ${removeFile === undefined ? 'FULL' : 'OFF'}`]
  const writer = new SqliteConnection({
    file,
    tables,
    busyTimeoutMs: writerBusyTimeoutMs,
    pragmas: [`busy_timeout = ${readerBusyTimeoutMs}`, 'journal_mode = WAL', ...common],
  })
  writer.pragma(`busy_timeout = ${writerBusyTimeoutMs}`)
  const reader = new SqliteConnection({
    file,
    tables,
    busyTimeoutMs: readerBusyTimeoutMs,
    pragmas: [...common, 'query_only = ON'],
  })
  const mailbox = createMailbox()
  let writesUnderWay = 0

  async function inTurn<T>(task: () => T | Promise<T>): Promise<T> {
    writesUnderWay += 1
    try {
      return await mailbox.run(task)
    } finally {
      writesUnderWay -= 1
    }
  }

  /** At once where nobody else writes, and otherwise in turn. */
  function write<T>(task: () => T): T | Promise<T> {
    if (writesUnderWay > 0) return inTurn(() => whenFree(task, options.busyTimeoutMs))
    try {
      return task()
    } catch (error) {
      if (!isBusy(error)) throw error
      return inTurn(() => whenFree(task, options.busyTimeoutMs))
    }
  }

  const session: Session = {
    all: (statement, values) => writer.all(statement, values),
    get: (statement, values) => writer.get(statement, values),
    run: (statement, values) => writer.run(statement, values),
    commit: () => writer.execute('commit'),
    rollback: () => rollBack(writer),
  }

  const transactionOptions = {
    withSession: <T>(use: (session: Session) => Promise<T>) =>
      inTurn(async () => {
        await whenFree(() => writer.execute('begin immediate'), options.busyTimeoutMs)
        return use(session)
      }),
    idleTimeoutMs: options.idleTransactionTimeoutMs,
    log: options.log,
  }

  function prepare<R>(query: SQL, columns: ColumnKinds = {}): Statement<R> {
    return compileStatement<R>(query, columns, sqliteCompiler)
  }

  function schemaConnection(connection: SqliteConnection): SchemaConnection {
    return {
      dialect: sqliteDialect,
      schemaDialect: sqliteSchemaDialect,
      all: (statement, values) => connection.all(statement, values),
      get: (statement, values) => connection.get(statement, values),
      run: (statement, values) => connection.run(statement, values),
      prepare,
      execute: async (statement) => connection.execute(statement),
      introspect: async () => introspectSqlite(connection),
    }
  }

  function exclusively<T>(work: (connection: SchemaConnection) => Promise<T>): Promise<T> {
    return inTurn(async () => {
      // Tables are made anew under other names meanwhile; the pragma does nothing inside of a transaction.
      writer.pragma('foreign_keys = OFF')
      try {
        await whenFree(() => writer.execute('begin immediate'), schemaLockTimeoutMs)
        const result = await work(schemaConnection(writer))
        writer.execute('commit')
        return result
      } catch (error) {
        rollBack(writer)
        throw error
      } finally {
        writer.pragma('foreign_keys = ON')
      }
    })
  }

  const tableCount = prepare<{ count: number }>(tableCountQuery)

  return {
    dialect: sqliteDialect,
    prepare,
    all<R>(statement: Statement<R>, values?: Values): R[] | Promise<R[]> {
      if (reader.isReadOnly(statement)) return reader.all(statement, values)
      return write(() => writer.all(statement, values))
    },
    get<R>(statement: Statement<R>, values?: Values): R | undefined | Promise<R | undefined> {
      if (reader.isReadOnly(statement)) return reader.get(statement, values)
      return write(() => writer.get(statement, values))
    },
    run(statement: Statement<Row>, values?: Values): RunResult | Promise<RunResult> {
      return write(() => writer.run(statement, values))
    },
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => runTransaction(work, transactionOptions),
    async ping() {
      reader.pragma('schema_version')
    },
    async tableCount() {
      return reader.get(tableCount, { names: JSON.stringify(tables.names) })?.count ?? 0
    },
    useTables: (specs) => tables.use(specs),
    schema: {
      inspect: async (work) => work(schemaConnection(reader)),
      exclusively,
      isMissingTable: (error) => classifySqliteError(error).message.startsWith('no such table'),
    },
    async close() {
      await mailbox.idle()
      reader.close()
      writer.close()
      removeFile?.()
    },
  }
}

async function whenFree<T>(task: () => T, timeoutMs: number): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    try {
      return task()
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      await delay(1 + Math.random() * 10)
    }
  }
}

function rollBack(connection: SqliteConnection) {
  try {
    connection.execute('rollback')
  } catch {
    // SQLite has rolled back by itself already.
  }
}

function makeDirectory(directory: string) {
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new DatabaseError('unavailable', `cannot make the folder ${directory}`, { cause: error })
  }
}

/**
 * `:memory:` becomes a file in a temporary folder that goes when the process does, so that it behaves as any other:
 * two connections can share a file, but not what SQLite keeps in memory.
 */
function placeFile(given: string): { file: string; removeFile?: () => void } {
  if (given !== ':memory:') {
    makeDirectory(dirname(given))
    return { file: given }
  }
  const directory = mkdtempSync(join(tmpdir(), 'mortise-memory-'))
  const removeFile = () => rmSync(directory, { recursive: true, force: true })
  process.once('exit', removeFile)
  return {
    file: join(directory, 'content.db'),
    removeFile() {
      process.off('exit', removeFile)
      removeFile()
    },
  }
}
