import { heartbeat, serverSentEvent } from '../../foundation/http/http.ts'
import { EventStreamClient } from './event-stream-client.ts'
import type { LiveClientOptions } from './live-client.ts'
import type { Arrival, Live } from './live-service.ts'

export interface StreamParts {
  readonly live: Pick<Live, 'join' | 'drained' | 'leave'>
  /** Encodes a position as a cursor for clients. */
  readonly cursorOf: (position: number) => string
}

/** How long clients wait before they reconnect after an unexpected end; random, so that they do not all return at once. */
const retryMs = () => 1_000 + Math.floor(Math.random() * 4_000)

/** An open stream of `/live`. */
export class StreamClient extends EventStreamClient {
  readonly #cursorOf: StreamParts['cursorOf']

  constructor(options: LiveClientOptions, { live, cursorOf }: StreamParts, arrival: Arrival) {
    super(options, live, () => void live.join(this, arrival))
    this.#cursorOf = cursorOf
  }

  welcome(position: number, isAnew: boolean): void {
    this.#tell('ready', position, retryMs())
    if (isAnew) this.#tell('restart', position)
  }

  restart(position: number): void {
    this.#tell('restart', position)
  }

  beat(): void {
    if (!this.isBehind) this.put(heartbeat)
  }

  sendAway(): void {
    if (this.takesMore) this.put(serverSentEvent({ event: 'goaway', data: {}, retryMs: retryMs() }))
    this.end()
  }

  refuse(): void {
    this.end()
  }

  protected write(bytes: Uint8Array): void {
    this.put(bytes)
  }

  #tell(event: string, position: number, retry?: number): void {
    const id = this.#cursorOf(position)
    const told = { event, id, data: { position: id }, ...(retry !== undefined && { retryMs: retry }) }
    this.send([{ bytes: serverSentEvent(told), position }], position)
  }
}
