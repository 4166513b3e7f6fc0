import type { EventChannel, EventWriter } from '../http/http.ts'
import { LiveClient, type LiveClientOptions } from './live-client.ts'
import type { Live } from './live-service.ts'

/** Somebody who is told over an answer that stays open. */
export abstract class EventStreamClient extends LiveClient implements EventWriter {
  readonly #live: Pick<Live, 'drained' | 'leave'>
  readonly #join: () => void
  #channel: EventChannel | undefined

  /** `join` is called once the answer has begun. */
  constructor(options: LiveClientOptions, live: Pick<Live, 'drained' | 'leave'>, join: () => void) {
    super(options)
    this.#live = live
    this.#join = join
  }

  opened(channel: EventChannel): void {
    this.#channel = channel
    this.#join()
  }

  drained(): void {
    this.#live.drained(this)
  }

  closed(): void {
    this.#channel = undefined
    this.#live.leave(this)
  }

  get takesMore(): boolean {
    return this.#channel?.isOpen === true && !this.#channel.isFull
  }

  /** Ends the answer in good order, unless nothing of it is taken any more. */
  end(): void {
    if (this.takesMore) this.#channel?.end()
    else this.cut()
  }

  cut(): void {
    this.#channel?.cut()
  }

  /** Writes what is no message. */
  protected put(bytes: Uint8Array): void {
    this.#channel?.write(bytes)
    if (this.#channel?.isFull === true) this.noteFull()
  }
}
