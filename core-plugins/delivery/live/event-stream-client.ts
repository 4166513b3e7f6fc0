import type { EventChannel, EventWriter } from '../../foundation/http/http.ts'
import { LiveClient, type LiveClientOptions } from './live-client.ts'
import type { Live } from './live-service.ts'

/** The maximum amount of data that is held back, in bytes. */
const maxHeldBytes = 64 * 1024

/**
 * A client that receives events in a response that stays open. Missed events are sent in one chunk together with the head and
 * the greeting, since Varnish forwards the first chunk at once and may hold back later ones.
 */
export abstract class EventStreamClient extends LiveClient implements EventWriter {
  readonly #live: Pick<Live, 'drained' | 'leave'>
  readonly #join: () => void
  #channel: EventChannel | undefined
  #held: Uint8Array[] = []
  #heldBytes = 0

  /** `join` is called once the response has begun. */
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

  /** Ends the response regularly, unless the client no longer reads it. */
  end(): void {
    this.flush()
    if (this.takesMore) this.#channel?.end()
    else this.cut()
  }

  cut(): void {
    this.#channel?.cut()
  }

  /** Writes bytes that are not a message. */
  protected put(bytes: Uint8Array): void {
    if (!this.isBehind) {
      this.#write(bytes)
      return
    }
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    if (this.#heldBytes > maxHeldBytes) this.flush()
  }

  override flush(): void {
    if (this.#heldBytes === 0) return
    const bytes = Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    this.#write(bytes)
  }

  #write(bytes: Uint8Array): void {
    this.#channel?.write(bytes)
    if (this.#channel?.isFull === true) this.noteFull()
  }
}
