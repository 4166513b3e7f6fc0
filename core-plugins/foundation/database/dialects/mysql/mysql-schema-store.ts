import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { DatabaseError } from '../../database-error.ts'
import type { Dialect } from '../../dialect.ts'
import type { KnownTables } from '../../schema/known-tables.ts'
import { compileStatement } from '../../statements/compiled-statement.ts'
import { stateTable } from '../../sync/schema-state.ts'
import type { SchemaConnection, SchemaDialect, SchemaStore } from '../../sync/schema-store.ts'
import type { MysqlConnection } from './mysql-connection.ts'
import type { MysqlConnections } from './mysql-connections.ts'
import { mysqlCompiler } from './mysql-dialect.ts'
import { classifyMysqlError } from './mysql-error.ts'
import { introspectMysql } from './mysql-introspection.ts'
import { MysqlQueries } from './mysql-queries.ts'

/** The holder of the lock may be rebuilding a large table. */
const lockTimeoutSeconds = 24 * 60 * 60

const noTimeLimit = 0

interface StoreOptions {
  readonly connections: MysqlConnections
  readonly tables: KnownTables
  readonly dialect: Dialect
  readonly schemaDialect: SchemaDialect
}

export function createMysqlSchemaStore(options: StoreOptions): SchemaStore {
  async function inspect<T>(work: (connection: SchemaConnection) => Promise<T>): Promise<T> {
    const connection = await options.connections.open({ autocommit: true, queryTimeoutMs: noTimeLimit })
    try {
      return await work(schemaConnection(connection, options))
    } finally {
      // The server releases the locks of a closed connection.
      connection.destroy()
    }
  }
  return {
    inspect,
    exclusively: (work) =>
      inspect(async (connection) => {
        await takeLock(connection)
        return work(connection)
      }),
    isMissingTable: (error) => (error as { cause?: { errno?: number } }).cause?.errno === 1146,
  }
}

function schemaConnection(connection: MysqlConnection, options: StoreOptions): SchemaConnection {
  const { tables, dialect, schemaDialect } = options
  const queries = new MysqlQueries((text, parameters) => connection.execute(text, parameters), tables)
  return {
    dialect,
    schemaDialect,
    all: (statement, values) => queries.all(statement, values),
    get: (statement, values) => queries.get(statement, values),
    run: (statement, values) => queries.run(statement, values),
    prepare: (query, columns = {}) => compileStatement(query, columns, mysqlCompiler),
    async execute(statement) {
      try {
        await connection.command(statement)
      } catch (error) {
        throw classifyMysqlError(error, tables, statement)
      }
    },
    introspect: () => introspectMysql(queries),
    canMirror: () => mayMakeTriggers(connection),
  }
}

/**
 * Whether the account may create triggers: with a binary log, the server may reserve them for administrators, and
 * only trying shows.
 */
async function mayMakeTriggers(connection: MysqlConnection): Promise<boolean> {
  const name = 'mirror_try'
  try {
    await connection.command(`drop trigger if exists ${name}`)
    await connection.command(
      `create trigger ${name} before insert on ${stateTable.name} for each row set new.name = new.name`,
    )
    await connection.command(`drop trigger ${name}`)
    return true
  } catch (error) {
    if (refusals.has(Number((error as { errno?: number }).errno))) return false
    throw error
  }
}

// ER_TABLEACCESS_DENIED_ERROR, ER_SPECIFIC_ACCESS_DENIED_ERROR, ER_BINLOG_CREATE_ROUTINE_NEED_SUPER
const refusals = new Set([1142, 1227, 1419])

/** Locks are global to the server, so their names include the database. */
async function takeLock(connection: SchemaConnection): Promise<void> {
  const current = await connection.get(connection.prepare(sql`select database() as name`))
  const lock = `mortise sync ${createHash('sha1').update(String(current?.name)).digest('hex')}`
  const take = connection.prepare(sql`select get_lock(${lock}, ${lockTimeoutSeconds}) as taken`)
  const answer = await connection.get(take)
  if (answer?.taken !== 1) {
    throw new DatabaseError(
      'busy',
      `another process has been changing the schema for ${lockTimeoutSeconds} s`,
    )
  }
}
