import type { Notifications } from '../database/database.ts'
import type { OpenTransport } from './transport.ts'

const channel = 'mortise_signals'

/** Sends signals over the database's notifications. */
export function openDatabaseTransport(notifications: Notifications): OpenTransport {
  return async (listener) => {
    const line = notifications.listen(channel, listener)
    return {
      publish: (message) => notifications.send(channel, message),
      restart: () => line.restart(),
      stop: () => void line.stop(),
    }
  }
}
