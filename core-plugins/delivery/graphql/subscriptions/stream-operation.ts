import { type AppError, heartbeat } from '../../../foundation/http/http.ts'
import { type Arrival, EventStreamClient, type Live, type LiveClientOptions } from '../../live/live.ts'
import { completeEvent, errorsEvent, nextEvent } from './protocol.ts'
import { errorIn, lostEvents, notAllowed, outdated } from './refusals.ts'

/** One subscription over server-sent events. */
export class StreamOperation extends EventStreamClient {
  constructor(options: LiveClientOptions, live: Pick<Live, 'join' | 'drained' | 'leave'>, arrival: Arrival) {
    super(options, live, () => void live.join(this, arrival))
  }

  welcome(_position: number, isAnew: boolean): void {
    if (isAnew) this.#fail(lostEvents())
    // Confirms that the subscription has begun.
    else this.put(heartbeat)
  }

  restart(): void {
    this.#fail(lostEvents())
  }

  beat(): void {
    if (!this.isBehind) this.put(heartbeat)
  }

  /** Does not send `complete`, which clients would take for the regular end. */
  sendAway(): void {
    super.end()
  }

  override end(): void {
    this.#fail(outdated())
  }

  refuse(): void {
    this.#fail(notAllowed(this.principal))
  }

  protected write(bytes: Uint8Array): void {
    this.put(nextEvent(bytes))
  }

  #fail(error: AppError): void {
    if (this.takesMore) {
      this.put(errorsEvent([errorIn(error)]))
      this.put(completeEvent)
    }
    super.end()
  }
}
