import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { LiveClient } from './live-client.ts'

/** What a client that has just opened its stream says of itself. */
export interface Arrival {
  readonly principal: Principal
  /** The cursor up to which it knows everything; undefined: it knows nothing yet. */
  readonly cursor: string | undefined
}

/** Tells clients what has changed, for plugins that have words of their own for it. */
export interface Live {
  /** Whether plugins take part in reads of a type, so that not everybody of a role may see the same. */
  isRestricted(type: string): boolean
  /**
   * Without an address only all clients of the process are counted.
   * @throws AppError 429 if the address has too many clients, 503 if all together are too many
   */
  assertRoom(address: string | undefined): void
  /** Adds a client. Resolves when it has been welcomed. */
  join(client: LiveClient, arrival: Arrival): Promise<void>
  /** The client takes something again. */
  drained(client: LiveClient): void
  /** Removes a client. */
  leave(client: LiveClient): void
}

export const liveService: ServiceToken<Live> = service('live')
