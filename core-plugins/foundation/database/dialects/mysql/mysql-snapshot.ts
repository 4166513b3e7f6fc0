import { KnownTables } from '../../schema/known-tables.ts'
import type { Snapshot, SnapshotSource } from '../../snapshot.ts'
import { compileStatement } from '../../statements/compiled-statement.ts'
import { MysqlConnection } from './mysql-connection.ts'
import { createMysqlDialect, mysqlCompiler } from './mysql-dialect.ts'
import { classifyMysqlError } from './mysql-error.ts'
import { MysqlQueries } from './mysql-queries.ts'
import { StatementShare } from './statement-share.ts'

const noTimeLimit = 0

/** A snapshot runs few statements; the limit only keeps it from using up the server's prepared statements. */
const snapshots = 100

/** A transaction in which every query sees the data at its beginning. */
export async function openMysqlSnapshot(source: SnapshotSource): Promise<Snapshot> {
  const tables = new KnownTables()
  const connection = await open(source, tables)
  const queries = new MysqlQueries((text, parameters) => connection.execute(text, parameters), tables)
  return {
    dialect: createMysqlDialect(connection.server),
    prepare: (query, columns = {}) => compileStatement(query, columns, mysqlCompiler),
    all: (statement, values) => queries.all(statement, values),
    get: (statement, values) => queries.get(statement, values),
    run: (statement, values) => queries.run(statement, values),
    close: async () => connection.destroy(),
  }
}

async function open({ target, connectTimeoutMs }: SnapshotSource, tables: KnownTables) {
  const connection = await MysqlConnection.open({
    url: target,
    connectTimeoutMs,
    queryTimeoutMs: noTimeLimit,
    lockWaitTimeoutMs: connectTimeoutMs,
    autocommit: true,
    statements: new StatementShare(snapshots),
    onClose: () => undefined,
  }).catch((error) => {
    throw classifyMysqlError(error, tables)
  })
  try {
    await connection.command('set session transaction isolation level repeatable read')
    await connection.command('start transaction with consistent snapshot, read only')
    return connection
  } catch (error) {
    connection.destroy()
    throw classifyMysqlError(error, tables)
  }
}
