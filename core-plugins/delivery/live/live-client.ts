import type { Awaitable } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Message, Topic } from './topic.ts'

export interface LiveClientOptions {
  /** The address for the limit per address; undefined if it has already been counted. */
  readonly address: string | undefined
  /** The credential that opened the stream; its current permissions apply. Undefined: none. */
  readonly credential: string | undefined
  readonly topic: Topic
}

/** The messages for all clients of a view; undefined means none, `restart` that anything may have changed. */
export type News = readonly Message[] | 'restart' | undefined

/** A client of the stream. Nothing is queued for slow clients: only their position is stored. */
export abstract class LiveClient {
  readonly address: string | undefined
  credential: string | undefined
  topic: Topic
  principal: Principal | undefined
  view: View | undefined
  /** Everything up to this position has been sent or is not visible to the client. */
  position = 0
  /** True while missed messages are being sent, or nothing can be sent. */
  isBehind = true
  isCatchingUp = false
  /** Since when the client is too slow (monotonic milliseconds). */
  fullSinceMs: number | undefined

  constructor({ address, credential, topic }: LiveClientOptions) {
    this.address = address
    this.credential = credential
    this.topic = topic
  }

  /** Whether the client is connected and accepts data. */
  abstract get takesMore(): boolean
  /** Greets the client, which then gets everything after this position. `isAnew`: it must discard its state. */
  abstract welcome(position: number, isAnew: boolean): void
  /** Says that anything up to this position may have changed. */
  abstract restart(position: number): void
  /** Sends a heartbeat; called periodically. */
  abstract beat(): void
  /** Disconnects the client, which should reconnect later, perhaps to another process. */
  abstract sendAway(): void
  /** Ends the stream because the credential is no longer valid. */
  abstract end(): void
  /** Ends the stream because the client may no longer follow its topic. */
  abstract refuse(): void
  abstract cut(): void
  protected abstract write(bytes: Uint8Array): void

  /** Sends messages until the client accepts no more; if it accepts all, it has everything up to `upTo`. */
  send(messages: readonly Message[], upTo: number): void {
    for (const { bytes, position } of messages) {
      if (!this.takesMore) break
      this.write(bytes)
      this.position = Math.max(this.position, position)
    }
    if (this.takesMore) this.position = Math.max(this.position, upTo)
    else this.noteFull()
  }

  /** Sends data that was held back to be sent together; by default there is none. */
  flush(): void {}

  protected noteFull(): void {
    this.isBehind = true
    this.fullSinceMs ??= performance.now()
  }

  noteDrained(): void {
    this.fullSinceMs = undefined
  }
}

/** Clients that get the same messages: they follow the same topic with the same permissions. */
export class View {
  readonly key: string
  readonly topic: Topic
  /** One of the principals with these permissions. */
  principal: Principal
  readonly clients = new Set<LiveClient>()
  /** Replays by start position, all up to one end position. */
  #replays = new Map<number, Awaitable<News>>()
  #replayedUpTo = 0

  constructor(key: string, topic: Topic, principal: Principal) {
    this.key = key
    this.topic = topic
    this.principal = principal
  }

  /** Caches the messages for returning clients by position, since many often return together. */
  replay(from: number, upTo: number, make: () => Awaitable<News>): Awaitable<News> {
    if (upTo !== this.#replayedUpTo) this.#replays.clear()
    this.#replayedUpTo = upTo
    const known = this.#replays.get(from)
    if (known !== undefined || this.#replays.has(from)) return known
    const made = make()
    this.#replays.set(from, made)
    return made
  }

  /** Clears replays, since permissions may have changed. */
  forgetReplays(): void {
    this.#replays.clear()
  }
}
