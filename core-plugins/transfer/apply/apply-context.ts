import type { Transaction } from '../../database/database.ts'
import type { Principal } from '../../http/http.ts'
import type { Value } from '../canonical.ts'

/** Who applies a package, and in which transaction. */
export interface ApplyContext {
  readonly tx: Transaction
  readonly principal: Principal
  /** The client's address. */
  readonly ip: string | undefined
}

/** Writes the items of a section that is small enough to be written one by one. */
export interface ItemWriter {
  /** @throws AppError if the item is not acceptable */
  put(key: string, value: Value, context: ApplyContext): Promise<void>
  /** @throws AppError if it has to stay */
  remove(key: string, context: ApplyContext): Promise<void>
}
