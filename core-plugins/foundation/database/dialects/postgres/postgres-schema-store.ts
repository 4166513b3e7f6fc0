import type { KnownTables } from '../../schema/known-tables.ts'
import { compileStatement } from '../../statements/compiled-statement.ts'
import type { SchemaConnection, SchemaStore } from '../../sync/schema-store.ts'
import type { PostgresClient } from './postgres-client.ts'
import type { PostgresClients } from './postgres-clients.ts'
import { postgresCompiler, postgresDialect } from './postgres-dialect.ts'
import { classifyPostgresError } from './postgres-error.ts'
import { introspectPostgres } from './postgres-introspection.ts'
import { PostgresQueries } from './postgres-queries.ts'
import { postgresSchemaDialect } from './postgres-schema.ts'

// Any number will do that all processes of the service use and no other software on the same database does.
const syncLockKey = 7_265_748_131

const noTimeLimit = 0

export function createPostgresSchemaStore(clients: PostgresClients, tables: KnownTables): SchemaStore {
  async function withClient<T>(work: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await clients.open(noTimeLimit)
    try {
      return await work(client)
    } finally {
      client.destroy()
    }
  }
  return {
    inspect: (work) => withClient((client) => work(schemaConnection(client, tables))),
    exclusively: (work) =>
      withClient(async (client) => {
        const connection = schemaConnection(client, tables)
        // A single transaction: if anything fails, or the process dies, nothing has changed.
        await connection.execute(`begin${client.limitsOfTransaction}`)
        await connection.execute(`select pg_advisory_xact_lock(${syncLockKey})`)
        const result = await work(connection)
        await connection.execute('commit')
        return result
      }),
    isMissingTable: (error) => (error as { cause?: { code?: string } }).cause?.code === '42P01',
  }
}

function schemaConnection(client: PostgresClient, tables: KnownTables): SchemaConnection {
  const queries = new PostgresQueries((text, parameters) => client.query(text, parameters), tables)
  return {
    dialect: postgresDialect,
    schemaDialect: postgresSchemaDialect,
    all: (statement, values) => queries.all(statement, values),
    get: (statement, values) => queries.get(statement, values),
    run: (statement, values) => queries.run(statement, values),
    prepare: (query, columns = {}) => compileStatement(query, columns, postgresCompiler),
    async execute(statement) {
      try {
        await client.command(statement)
        client.tablesChanged()
      } catch (error) {
        throw classifyPostgresError(error, tables)
      }
    },
    introspect: () => introspectPostgres(queries),
    canMirror: async () => true,
  }
}
