import { compileStatement } from '../../statements/compiled-statement.ts'
import type { SchemaConnection, SchemaStore } from '../../sync/schema-store.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { sqliteCompiler, sqliteDialect } from './sqlite-dialect.ts'
import { classifySqliteError } from './sqlite-error.ts'
import { introspectSqlite } from './sqlite-introspection.ts'
import { sqliteSchemaDialect } from './sqlite-schema.ts'
import type { SqliteWriter } from './sqlite-writer.ts'

/** The holder of the lock may be rebuilding a large table. */
const lockTimeoutMs = 10 * 60_000

export function createSqliteSchemaStore(reader: SqliteConnection, writer: SqliteWriter): SchemaStore {
  return {
    inspect: async (work) => work(schemaConnection(reader)),
    exclusively: (work) => writer.restructure(() => work(schemaConnection(writer.connection)), lockTimeoutMs),
    isMissingTable: (error) => classifySqliteError(error).message.startsWith('no such table'),
  }
}

function schemaConnection(connection: SqliteConnection): SchemaConnection {
  return {
    dialect: sqliteDialect,
    schemaDialect: sqliteSchemaDialect,
    all: (statement, values) => connection.all(statement, values),
    get: (statement, values) => connection.get(statement, values),
    run: (statement, values) => connection.run(statement, values),
    prepare: (query, columns = {}) => compileStatement(query, columns, sqliteCompiler),
    execute: async (statement) => connection.execute(statement),
    introspect: async () => introspectSqlite(connection),
    // Triggers are dropped with each table that is rebuilt, and processes of two versions hardly ever share a file.
    canMirror: async () => false,
  }
}
