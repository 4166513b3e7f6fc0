import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { Held } from '../sync/conversion.ts'
import type { UnconvertedColumn } from '../sync/unconverted.ts'
import { shortenIdentifier } from '../tables/identifier.ts'

/** Columns that hold another kind than is declared, since their conversion waits for `safe-sync`. */
export interface Conversions {
  /** What a column actually holds, if that is not the declared kind; known once the tables are synced. */
  heldBy(table: string, column: string): Held | undefined
  /** Changes whenever results of `heldBy` do. */
  readonly revision: number
}

export const conversionsService: ServiceToken<Conversions> = service('conversions')

/** The pending conversions, as known to this process. */
export class WaitingConversions implements Conversions {
  #held: ReadonlyMap<string, Held> = new Map()
  revision = 0

  heldBy(table: string, column: string): Held | undefined {
    if (this.#held.size === 0) return undefined
    return this.#held.get(`${shortenIdentifier(table)}.${shortenIdentifier(column)}`)
  }

  /** Takes over the columns that a sync has left unconverted. */
  use(columns: readonly UnconvertedColumn[]): void {
    if (columns.length + this.#held.size === 0) return
    this.#held = new Map(columns.map(({ table, column, held }) => [`${table}.${column}`, held]))
    this.revision += 1
  }
}
