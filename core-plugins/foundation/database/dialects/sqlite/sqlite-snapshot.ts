import { sql } from 'drizzle-orm'
import { KnownTables } from '../../schema/known-tables.ts'
import type { Snapshot, SnapshotSource } from '../../snapshot.ts'
import { compileStatement } from '../../statements/compiled-statement.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { sqliteCompiler, sqliteDialect } from './sqlite-dialect.ts'

/** A read transaction on the write-ahead log, which later writes do not affect. */
export async function openSqliteSnapshot({ target, connectTimeoutMs }: SnapshotSource): Promise<Snapshot> {
  const connection = new SqliteConnection({
    file: target,
    tables: new KnownTables(),
    busyTimeoutMs: connectTimeoutMs,
    pragmas: ['query_only = ON'],
  })
  try {
    connection.execute('begin')
    // The snapshot is taken with the first read.
    connection.get(compileStatement(sql`select count(*) from sqlite_schema`, {}, sqliteCompiler))
  } catch (error) {
    connection.close()
    throw error
  }
  return {
    dialect: sqliteDialect,
    prepare: (query, columns = {}) => compileStatement(query, columns, sqliteCompiler),
    all: (statement, values) => connection.all(statement, values),
    get: (statement, values) => connection.get(statement, values),
    run: (statement, values) => connection.run(statement, values),
    close: async () => connection.close(),
  }
}
