import { sql } from 'drizzle-orm'
import { type ServiceToken, service } from '../../../../kernel/index.ts'
import { query } from '../statements/query.ts'
import type { Queries, QueryTarget } from '../statements/query-target.ts'
import { shortenIdentifier } from '../tables/identifier.ts'
import type { SchemaChange } from './schema-change.ts'

/** Unique indexes that cannot be made because rows have the same values: until then nothing in the database refuses more of them. */
export interface UniqueWaits {
  /** The columns of each such index of a table; known once the tables are synced. */
  of(table: string): readonly (readonly string[])[]
  /** Whether an index on one column, alone or together with what tells apart its locales, waits. */
  isWaiting(table: string, column: string, columns?: number): boolean
  /** Waits until nobody else has the turn, and has it until the end of the transaction: what others wrote in theirs can be seen. */
  takeTurn(tx: Queries): Promise<void>
}

export const uniqueWaitsService: ServiceToken<UniqueWaits> = service('unique-waits')

/** The indexes that wait in this process. */
export class WaitingIndexes implements UniqueWaits {
  #waiting: ReadonlyMap<string, readonly (readonly string[])[]> = new Map()
  readonly #turn: (tx: Queries) => Promise<unknown>

  constructor(database: QueryTarget) {
    // A row that is there in every database.
    const turn = query(
      database,
      () => sql`select name from svc_schema_state where name = 'schema' ${database.dialect.forUpdate}`,
    )
    this.#turn = (tx) => turn.get({}, tx)
  }

  of(table: string): readonly (readonly string[])[] {
    return this.#waiting.size === 0 ? none : (this.#waiting.get(shortenIdentifier(table)) ?? none)
  }

  isWaiting(table: string, column: string, columns = 1): boolean {
    const name = shortenIdentifier(column)
    return this.of(table).some((each) => each[0] === name && each.length === columns)
  }

  async takeTurn(tx: Queries): Promise<void> {
    await this.#turn(tx)
  }

  /** Takes over what a sync has left. */
  use(blocked: readonly SchemaChange[]): void {
    const waiting = new Map<string, (readonly string[])[]>()
    for (const { change, table, column } of blocked) {
      if (change !== 'create-unique-index' || column === null) continue
      waiting.set(table, [...(waiting.get(table) ?? []), column.split(',')])
    }
    this.#waiting = waiting
  }
}

const none: readonly (readonly string[])[] = []
