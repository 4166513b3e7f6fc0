/** One event of a stream. */
export interface ServerSentEvent {
  readonly event: string
  /** Sent as JSON. */
  readonly data: unknown
  /** Sent by a client as `Last-Event-ID` when it reconnects; without line breaks. */
  readonly id?: string | number
  /** How many milliseconds after the end of the stream a client should reconnect. */
  readonly retryMs?: number
}

/** An event in the form of `text/event-stream`. */
export function serverSentEvent({ event, data, id, retryMs }: ServerSentEvent): Buffer {
  const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`
  const line = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${retry}${line}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** A sign of life, which clients ignore. */
export const heartbeat: Uint8Array = Buffer.from(':\n\n')
