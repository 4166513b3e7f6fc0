import {
  type AdminPrincipal,
  type EventChannel,
  type EventWriter,
  heartbeat,
  serverSentEvent,
} from '../../foundation/http/http.ts'

const heartbeatMs = 20_000

export interface StreamOptions {
  /** The name that the panel has given it. */
  readonly name: string
  /** What it was opened with: what it may see is what that is worth at the moment. */
  readonly credential: string
  readonly principal: AdminPrincipal
  /** Its panel has had a stream before, and may have missed something. */
  readonly isAgain: boolean
}

/** What happens to streams. */
export interface StreamListener {
  opened(stream: EventStream): void
  closed(stream: EventStream): void
}

/** One open answer in the form of server-sent events. */
export class EventStream implements EventWriter {
  readonly name: string
  readonly credential: string
  readonly isAgain: boolean
  principal: AdminPrincipal
  /** Where its panel is, as far as this process knows. */
  place: { readonly type: string; readonly entryId: number } | undefined
  /** The people in it, as they were sent last. */
  sentPeople = ''
  private sentAtMs = performance.now()
  private channel: EventChannel | undefined
  /** What goes out together when it has been welcomed; undefined from then on. */
  private held: Uint8Array[] | undefined = []
  private readonly listener: StreamListener

  constructor({ name, credential, principal, isAgain }: StreamOptions, listener: StreamListener) {
    this.name = name
    this.credential = credential
    this.principal = principal
    this.isAgain = isAgain
    this.listener = listener
  }

  opened(channel: EventChannel): void {
    this.channel = channel
    this.listener.opened(this)
  }

  /** It was cut off when it did not keep up. */
  drained(): void {}

  closed(): void {
    this.channel = undefined
    this.listener.closed(this)
  }

  get isOpen(): boolean {
    return this.channel?.isOpen === true
  }

  send(event: string, data: unknown, id?: string): void {
    this.write(serverSentEvent({ event, data, ...(id !== undefined && { id }) }))
  }

  /** Says that it is still there, if nothing has been said for long. */
  heartbeat(nowMs: number): void {
    if (nowMs - this.sentAtMs > heartbeatMs) this.write(heartbeat)
  }

  private write(bytes: Uint8Array): void {
    if (this.held === undefined) this.writeNow(bytes)
    else this.held.push(bytes)
  }

  /** Sends in one piece what it was told so far: proxies may hold back what follows the first piece. */
  welcomed(): void {
    const { held } = this
    this.held = undefined
    if (held !== undefined) this.writeNow(Buffer.concat(held))
  }

  private writeNow(bytes: Uint8Array): void {
    if (this.channel === undefined) return
    this.sentAtMs = performance.now()
    // Whoever reads so slowly reads anew: nothing is kept for them.
    if (this.channel.isFull) this.cut()
    else this.channel.write(bytes)
  }

  /** Ends the answer in good order, unless the reader takes nothing any more. */
  end(): void {
    if (this.channel?.isFull === true) this.cut()
    else this.channel?.end()
  }

  cut(): void {
    this.channel?.cut()
  }
}
