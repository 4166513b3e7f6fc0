import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { LiveClient } from './live-client.ts'

/** What a new client tells the hub. */
export interface Arrival {
  readonly principal: Principal
  /** The cursor up to which the client knows everything; undefined for a client without state. */
  readonly cursor: string | undefined
}

/** Sends changes to clients, for plugins with message formats of their own. */
export interface Live {
  /** Whether plugins restrict reads of a type, so that callers of one role may see different entries. */
  isRestricted(type: string): boolean
  /**
   * Without an address, only the total number of clients in the process is checked.
   * @throws AppError 429 if the address has too many clients, 503 if the process has too many
   */
  assertRoom(address: string | undefined): void
  /** Adds a client; resolves after the greeting. */
  join(client: LiveClient, arrival: Arrival): Promise<void>
  /** Called when the client accepts data again. */
  drained(client: LiveClient): void
  /** Removes a client. */
  leave(client: LiveClient): void
}

export const liveService: ServiceToken<Live> = service('live')
