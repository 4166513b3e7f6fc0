/**
 * Messages between all processes that use the database. Processes that are not listening at the moment miss a
 * message.
 */
export interface Notifications {
  /** Notifies all listeners, this process included. At most 7,999 bytes. @throws DatabaseError */
  send(channel: string, message: string): Promise<void>
  /** Listens in the background, on a connection that is reopened whenever it is lost. */
  listen(channel: string, listener: NotificationListener): NotificationLine
}

export interface NotificationListener {
  message(text: string): void
  /** Messages are received from now on, until `lost`. */
  opened(): void
  lost(): void
}

export interface NotificationLine {
  /** Reconnects, if the connection seems to be dead but was not reported as lost. */
  restart(): void
  stop(): Promise<void>
}
