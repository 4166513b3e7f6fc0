import { KnownTables } from '../../schema/known-tables.ts'
import type { Snapshot, SnapshotSource } from '../../snapshot.ts'
import { compileStatement } from '../../statements/compiled-statement.ts'
import { PostgresConnector } from './postgres-connector.ts'
import { postgresCompiler, postgresDialect } from './postgres-dialect.ts'
import { classifyPostgresError } from './postgres-error.ts'
import { PostgresQueries } from './postgres-queries.ts'

const noTimeLimit = 0

/** A transaction in which every query sees the same data as the first one. */
export async function openPostgresSnapshot({ target, connectTimeoutMs }: SnapshotSource): Promise<Snapshot> {
  const tables = new KnownTables()
  const opening = new PostgresConnector().open({
    url: target,
    connectTimeoutMs,
    queryTimeoutMs: noTimeLimit,
    preparations: { generation: 0 },
    onClose: () => undefined,
    onAnswer: () => undefined,
  })
  const client = await opening.catch((error) => {
    throw classifyPostgresError(error, tables)
  })
  try {
    await client.command(`begin isolation level repeatable read, read only${client.limitsOfTransaction}`)
    await client.command('select 1')
  } catch (error) {
    client.destroy()
    throw classifyPostgresError(error, tables)
  }
  const queries = new PostgresQueries((text, parameters) => client.query(text, parameters), tables)
  return {
    dialect: postgresDialect,
    prepare: (query, columns = {}) => compileStatement(query, columns, postgresCompiler),
    all: (statement, values) => queries.all(statement, values),
    get: (statement, values) => queries.get(statement, values),
    run: (statement, values) => queries.run(statement, values),
    close: () => client.end(),
  }
}
