import { sql } from 'drizzle-orm'
import { type ServiceToken, service } from '../../../../kernel/index.ts'
import { query } from '../statements/query.ts'
import type { Queries, QueryTarget } from '../statements/query-target.ts'
import { shortenIdentifier } from '../tables/identifier.ts'
import type { SchemaChange } from './schema-change.ts'

/**
 * Unique indexes that cannot be created because rows have equal values: until then the database does not refuse more
 * of them.
 */
export interface UniqueWaits {
  /** The columns of each such index of a table; known once the tables are synced. */
  of(table: string): readonly (readonly string[])[]
  /**
   * Whether a unique index waits that begins with this column and has `columns` columns: 1, or more if it also
   * includes the locale.
   */
  isWaiting(table: string, column: string, columns?: number): boolean
  /** Waits for the turn and keeps it until the end of the transaction: writes of earlier turns are visible then. */
  takeTurn(tx: Queries): Promise<void>
}

export const uniqueWaitsService: ServiceToken<UniqueWaits> = service('unique-waits')

/** The pending unique indexes, as known to this process. */
export class WaitingIndexes implements UniqueWaits {
  #waiting: ReadonlyMap<string, readonly (readonly string[])[]> = new Map()
  readonly #turn: (tx: Queries) => Promise<unknown>

  constructor(database: QueryTarget) {
    // A row that exists in every database.
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

  /** Takes over the indexes that a sync could not create. */
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
