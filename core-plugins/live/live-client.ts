import type { Awaitable } from '../../kernel/index.ts'
import type { EventChannel, EventWriter, Principal } from '../http/http.ts'

export interface LiveClientOptions {
  /** What counts as one address. */
  readonly address: string
  /** What it was opened with: what it may see is what that is worth at the moment. Undefined: nothing. */
  readonly credential: string | undefined
  readonly types: ReadonlySet<string>
}

/** What happens to clients. */
export interface ClientListener {
  opened(client: LiveClient): void
  drained(client: LiveClient): void
  closed(client: LiveClient): void
}

/** One open stream. Nothing waits for a client that does not keep up: only its position is known. */
export class LiveClient implements EventWriter {
  readonly address: string
  readonly credential: string | undefined
  types: ReadonlySet<string>
  principal: Principal | undefined
  view: View | undefined
  /** Everything up to here has been handed over, or is nothing that it may know. */
  position = 0
  /** True while it is told what it has missed, or cannot be told anything. */
  isBehind = true
  isCatchingUp = false
  /** Since when it does not keep up (monotonic milliseconds). */
  fullSinceMs: number | undefined
  readonly #listener: ClientListener
  #channel: EventChannel | undefined

  constructor({ address, credential, types }: LiveClientOptions, listener: ClientListener) {
    this.address = address
    this.credential = credential
    this.types = types
    this.#listener = listener
  }

  opened(channel: EventChannel): void {
    this.#channel = channel
    this.#listener.opened(this)
  }

  drained(): void {
    this.fullSinceMs = undefined
    this.#listener.drained(this)
  }

  closed(): void {
    this.#channel = undefined
    this.#listener.closed(this)
  }

  get takesMore(): boolean {
    return this.#channel?.isOpen === true && !this.#channel.isFull
  }

  /** After this, the client has everything up to `position`. */
  send(bytes: Uint8Array, position: number): void {
    this.#channel?.write(bytes)
    this.position = Math.max(this.position, position)
    if (this.#channel?.isFull !== true) return
    this.isBehind = true
    this.fullSinceMs ??= performance.now()
  }

  /** Ends the stream in good order, unless it takes nothing any more. */
  end(): void {
    if (this.takesMore) this.#channel?.end()
    else this.cut()
  }

  cut(): void {
    this.#channel?.cut()
  }
}

/** Clients that are told the same: they follow the same types, and may see the same of them. */
export class View {
  readonly key: string
  readonly types: ReadonlySet<string>
  /** One of those who may see this. */
  principal: Principal
  readonly clients = new Set<LiveClient>()
  /** What clients that have missed something were told lately, by where they were, up to one position. */
  #replays = new Map<number, Awaitable<Buffer | undefined>>()
  #replayedUpTo = 0

  constructor(key: string, types: ReadonlySet<string>, principal: Principal) {
    this.key = key
    this.types = types
    this.principal = principal
  }

  /** Makes what is told to those who come back, who often come back together from the same place, once. */
  replay(
    from: number,
    upTo: number,
    make: () => Awaitable<Buffer | undefined>,
  ): Awaitable<Buffer | undefined> {
    if (upTo !== this.#replayedUpTo) this.#replays.clear()
    this.#replayedUpTo = upTo
    const known = this.#replays.get(from)
    if (known !== undefined || this.#replays.has(from)) return known
    const made = make()
    this.#replays.set(from, made)
    return made
  }

  /** What was found out before may not be true of who may see what now. */
  forgetReplays(): void {
    this.#replays.clear()
  }
}
