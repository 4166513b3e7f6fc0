import { DatabaseError } from '../../database-error.ts'
import type { KnownTables } from '../../schema/known-tables.ts'
import type { Session } from '../../statements/run-transaction.ts'
import type { Durability } from '../../statements/transaction.ts'
import type { PostgresClient, PostgresResult } from './postgres-client.ts'
import { classifyPostgresError } from './postgres-error.ts'
import { PostgresQueries } from './postgres-queries.ts'

const begin: Readonly<Record<Durability, string>> = {
  full: 'begin',
  relaxed: 'begin; set local synchronous_commit to off',
}

/** A transaction on a connection that is not used for anything else meanwhile. */
export class PostgresSession extends PostgresQueries implements Session {
  readonly #client: PostgresClient
  readonly #tables: KnownTables
  readonly #begun: Promise<PostgresResult>

  constructor(client: PostgresClient, tables: KnownTables, durability: Durability) {
    super((text, parameters) => client.query(text, parameters), tables)
    this.#client = client
    this.#tables = tables
    // Sent together with the first query; the commit waits for it.
    this.#begun = client.command(`${begin[durability]}${client.limitsOfTransaction}`)
    this.#begun.catch(() => undefined)
  }

  async commit(sent: Promise<void> | undefined): Promise<void> {
    // Sent without waiting for earlier queries: if one failed, the server rolls back instead of committing.
    const ended = this.#end()
    ended.catch(() => undefined)
    await sent
    await ended
  }

  async rollback(): Promise<void> {
    await this.#client.command('rollback').catch(() => this.#client.destroy())
  }

  async #end(): Promise<void> {
    try {
      const [{ command }] = await Promise.all([this.#client.command('commit'), this.#begun])
      if (command !== 'COMMIT') throw new DatabaseError('other', 'the transaction was rolled back')
    } catch (error) {
      throw classifyPostgresError(error, this.#tables)
    }
  }
}
