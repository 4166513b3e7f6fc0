import type { TightLimit } from '../../database-service.ts'

/**
 * A warning for services with idle times: after each pause, requests and the notification listener have to reconnect.
 */
export function idleSessionsEnd(account: string, after: string): TightLimit {
  return {
    message: `the server ends connections that were idle for ${after}: they are opened again all the time, also the one on which processes hear of changes of others`,
    remedy: `alter role "${account}" set idle_session_timeout = 0, and start the service anew`,
  }
}
