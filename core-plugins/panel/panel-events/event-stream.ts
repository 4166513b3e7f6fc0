import {
  type AdminPrincipal,
  type EventChannel,
  type EventWriter,
  heartbeat,
  serverSentEvent,
} from '../../foundation/http/http.ts'

const heartbeatMs = 20_000

export interface StreamOptions {
  /** The name chosen by the panel. */
  readonly name: string
  /** The credential of the request; the stream's permissions are what that credential allows at the moment. */
  readonly credential: string
  readonly principal: AdminPrincipal
  /** Whether its panel had a stream before and may have missed events. */
  readonly isAgain: boolean
}

/** Callbacks for stream events. */
export interface StreamListener {
  opened(stream: EventStream): void
  closed(stream: EventStream): void
}

/** One open response of server-sent events. */
export class EventStream implements EventWriter {
  readonly name: string
  readonly credential: string
  readonly isAgain: boolean
  principal: AdminPrincipal
  /** The entry open in its panel, as far as this process knows. */
  place: { readonly type: string; readonly entryId: number } | undefined
  /** The people in the entry, as last sent. */
  sentPeople = ''
  private sentAtMs = performance.now()
  private channel: EventChannel | undefined
  /** Events held back until the stream is welcomed; undefined afterwards. */
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

  /** Nothing to do: a stream that does not keep up is cut off. */
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

  /** Sends a keep-alive message if nothing was sent for a while. */
  heartbeat(nowMs: number): void {
    if (nowMs - this.sentAtMs > heartbeatMs) this.write(heartbeat)
  }

  private write(bytes: Uint8Array): void {
    if (this.held === undefined) this.writeNow(bytes)
    else this.held.push(bytes)
  }

  /** Sends all held events in one chunk: proxies may delay what follows the first chunk. */
  welcomed(): void {
    const { held } = this
    this.held = undefined
    if (held !== undefined) this.writeNow(Buffer.concat(held))
  }

  private writeNow(bytes: Uint8Array): void {
    if (this.channel === undefined) return
    this.sentAtMs = performance.now()
    // A slow reader is disconnected and reloads everything: nothing is buffered for it.
    if (this.channel.isFull) this.cut()
    else this.channel.write(bytes)
  }

  /** Ends the response regularly, unless the reader no longer accepts data. */
  end(): void {
    if (this.channel?.isFull === true) this.cut()
    else this.channel?.end()
  }

  cut(): void {
    this.channel?.cut()
  }
}
