import type { Recipient } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'

/** The caller, as fields of plugins see it. */
export interface GraphqlCaller {
  readonly principal: Principal
  /** The receiver of the response; if it disconnects, expensive database work is cancelled. */
  readonly recipient: Recipient | undefined
}

/** The caller, as root fields of plugins see it. */
export interface GraphqlRootCaller extends GraphqlCaller {
  /** The client's address, for the audit log. */
  readonly ip: string | undefined
}
