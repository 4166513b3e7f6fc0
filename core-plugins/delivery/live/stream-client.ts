import { heartbeat, serverSentEvent } from '../../foundation/http/http.ts'
import { EventStreamClient } from './event-stream-client.ts'
import type { LiveClientOptions } from './live-client.ts'
import type { Arrival, Live } from './live-service.ts'

export interface StreamParts {
  readonly live: Pick<Live, 'join' | 'drained' | 'leave'>
  /** The position as clients keep it. */
  readonly cursorOf: (position: number) => string
}

/** After how long those whose stream has ended without a word come back, so that they do not come all at once. */
const retryMs = () => 1_000 + Math.floor(Math.random() * 4_000)

/** One open stream of `/live`. */
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
