import type { KnownTables } from '../../schema/known-tables.ts'
import type { Session } from '../../statements/run-transaction.ts'
import type { MysqlConnection } from './mysql-connection.ts'
import { classifyMysqlError } from './mysql-error.ts'
import { MysqlQueries } from './mysql-queries.ts'

/** A transaction, which begins with the first statement on a connection without autocommit. */
export class MysqlSession extends MysqlQueries implements Session {
  readonly #connection: MysqlConnection
  readonly #tables: KnownTables

  constructor(connection: MysqlConnection, tables: KnownTables) {
    super((text, parameters) => connection.executeInOrder(text, parameters), tables)
    this.#connection = connection
    this.#tables = tables
  }

  async commit(sent: Promise<void> | undefined): Promise<void> {
    await sent
    try {
      await this.#connection.command('commit')
    } catch (error) {
      throw classifyMysqlError(error, this.#tables)
    }
  }

  async rollback(): Promise<void> {
    await this.#connection.command('rollback').catch(() => this.#connection.destroy())
  }
}
