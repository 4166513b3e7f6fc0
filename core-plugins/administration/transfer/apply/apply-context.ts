import type { Transaction } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'

/** Who applies a package, and in which transaction. */
export interface ApplyContext {
  readonly tx: Transaction
  readonly principal: Principal
  /** The client's address. */
  readonly ip: string | undefined
}
