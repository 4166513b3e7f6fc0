/** Passes messages to all processes of the service, this one included. */
export interface Transport {
  /** @throws Error if the message could not be sent */
  publish(message: string): Promise<void>
  /** Reconnects, because messages no longer seem to arrive. */
  restart(): void
  stop(): void
}

export interface TransportListener {
  message(text: string): void
  /** The connection has been established. */
  opened(): void
  lost(): void
}

/** Connects in the background; resolves without waiting for it. */
export type OpenTransport = (listener: TransportListener) => Promise<Transport>
