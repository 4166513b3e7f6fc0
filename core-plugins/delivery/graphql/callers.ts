import type { Recipient } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'

/** Who asks, as fields of plugins see it. */
export interface GraphqlCaller {
  readonly principal: Principal
  /** Whose going ends what is costly to the database. */
  readonly recipient: Recipient | undefined
}

/** Who asks, as root fields of plugins see it. */
export interface GraphqlRootCaller extends GraphqlCaller {
  /** The client's address, for the audit log. */
  readonly ip: string | undefined
}
