import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { AccountKind } from '../sessions/session-tokens.ts'

/** A change of an account that entries may refer to. */
export interface AccountWrite {
  readonly kind: AccountKind
  readonly id: number
  /** `remove`: the account still exists, and is deleted before the transaction ends. */
  readonly operation: 'update' | 'remove'
  readonly principal: Principal
}

/** Called within the transaction that changes or removes an account. Throwing rolls it back. */
export type AccountWriteListener = (write: AccountWrite, tx: Transaction) => Awaitable<void>

/** For plugins that show accounts or refer to them. Contribute in `register` or `init`. */
export const accountWrites: ExtensionPoint<AccountWriteListener> = extensionPoint('accountWrites')
