import type { Awaitable } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Message, Topic } from './topic.ts'

export interface LiveClientOptions {
  /** What counts as one address; undefined where it has been counted already. */
  readonly address: string | undefined
  /** What it was opened with: what it may see is what that is worth at the moment. Undefined: nothing. */
  readonly credential: string | undefined
  readonly topic: Topic
}

/** The messages for all clients of a view; undefined means none, and `restart` means that anything may have changed. */
export type News = readonly Message[] | 'restart' | undefined

/** A client of the stream. Nothing is queued for a client that does not keep up: only its position is kept. */
export abstract class LiveClient {
  readonly address: string | undefined
  credential: string | undefined
  topic: Topic
  principal: Principal | undefined
  view: View | undefined
  /** Everything up to here has been handed over, or is nothing that it may know. */
  position = 0
  /** True while it is sent what it has missed, or cannot be sent anything. */
  isBehind = true
  isCatchingUp = false
  /** Since when it does not keep up (monotonic milliseconds). */
  fullSinceMs: number | undefined

  constructor({ address, credential, topic }: LiveClientOptions) {
    this.address = address
    this.credential = credential
    this.topic = topic
  }

  /** Whether it is there and keeps up. */
  abstract get takesMore(): boolean
  /** Greets the client, which gets everything after this position. `isAnew`: it must forget what it knew before. */
  abstract welcome(position: number, isAnew: boolean): void
  /** Anything up to this position may be different. */
  abstract restart(position: number): void
  /** Gives a sign of life, for which there is a turn now and then. */
  abstract beat(): void
  /** Sends it away: it is to come back later, and may then reach another process. */
  abstract sendAway(): void
  /** Ends it because its credential is no longer valid. */
  abstract end(): void
  /** Ends the stream because the client may no longer follow its topic. */
  abstract refuse(): void
  abstract cut(): void
  protected abstract write(bytes: Uint8Array): void

  /** Hands over as much as it takes; after the last one, it has everything up to `upTo`. */
  send(messages: readonly Message[], upTo: number): void {
    for (const { bytes, position } of messages) {
      if (!this.takesMore) break
      this.write(bytes)
      this.position = Math.max(this.position, position)
    }
    if (this.takesMore) this.position = Math.max(this.position, upTo)
    else this.noteFull()
  }

  /** Lets out what was held back so as to go out together; by default, nothing is. */
  flush(): void {}

  protected noteFull(): void {
    this.isBehind = true
    this.fullSinceMs ??= performance.now()
  }

  noteDrained(): void {
    this.fullSinceMs = undefined
  }
}

/** Clients that get the same messages: they follow the same topic and may see the same. */
export class View {
  readonly key: string
  readonly topic: Topic
  /** One of those who may see this. */
  principal: Principal
  readonly clients = new Set<LiveClient>()
  /** Messages recently sent to clients that were behind, by their position, all up to one position. */
  #replays = new Map<number, Awaitable<News>>()
  #replayedUpTo = 0

  constructor(key: string, topic: Topic, principal: Principal) {
    this.key = key
    this.topic = topic
    this.principal = principal
  }

  /** Makes the messages for returning clients once per position, since many often return together. */
  replay(from: number, upTo: number, make: () => Awaitable<News>): Awaitable<News> {
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
