/** One event of a stream. */
export interface ServerSentEvent {
  readonly event: string
  /** Sent as JSON. */
  readonly data: unknown
  /** What a client sends as `Last-Event-ID` when it comes back; without line breaks. */
  readonly id?: string | number
  /** After how many milliseconds a client should come back once the stream has ended. */
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
