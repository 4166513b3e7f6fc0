import type { AppError } from '../../../foundation/http/http.ts'
import { LiveClient, type LiveClientOptions } from '../../live/live.ts'
import { messages, nextFrame } from './protocol.ts'
import { errorIn, lostEvents, notAllowed } from './refusals.ts'

/** The connection that carries the messages of operations. */
export interface Carrier {
  readonly takesMore: boolean
  say(message: string | Uint8Array): void
  /** Ends an operation without a further message. */
  forget(id: string): void
  /** See `LiveClient`. */
  sendAway(): void
  end(): void
  cut(): void
}

/** One subscription on a connection that several may share. */
export class Operation extends LiveClient {
  readonly #id: string
  readonly #connection: Carrier
  readonly #frame: (body: Uint8Array) => Buffer
  #isOver = false

  constructor(id: string, connection: Carrier, options: Omit<LiveClientOptions, 'address'>) {
    super({ ...options, address: undefined })
    this.#id = id
    this.#connection = connection
    this.#frame = nextFrame(id)
  }

  get takesMore(): boolean {
    return !this.#isOver && this.#connection.takesMore
  }

  welcome(_position: number, isAnew: boolean): void {
    if (isAnew) this.restart()
  }

  restart(): void {
    this.#fail(lostEvents())
  }

  /** The connection sends pings. */
  beat(): void {}

  sendAway(): void {
    this.#connection.sendAway()
  }

  override end(): void {
    this.#connection.end()
  }

  refuse(): void {
    this.#fail(notAllowed(this.principal))
  }

  cut(): void {
    this.#connection.cut()
  }

  /** Ends the operation without a further message. */
  close(): void {
    this.#isOver = true
  }

  protected write(bytes: Uint8Array): void {
    this.#connection.say(this.#frame(bytes))
  }

  #fail(error: AppError): void {
    if (this.#isOver) return
    this.#connection.say(messages.error(this.#id, [errorIn(error)]))
    this.#connection.forget(this.#id)
  }
}
