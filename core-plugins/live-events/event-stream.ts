import { Readable } from 'node:stream'
import type { AdminPrincipal } from '../http/http.ts'

/** What a slow reader may leave unread, in bytes, before it is cut off. */
const maxUnread = 64 * 1024
const heartbeatMs = 20_000

export interface StreamOptions {
  /** The name that the panel has given it. */
  readonly name: string
  /** What it was opened with: what it may see is what that is worth at the moment. */
  readonly credential: string
  readonly principal: AdminPrincipal
}

/** One open answer in the form of server-sent events. */
export class EventStream {
  readonly name: string
  readonly credential: string
  principal: AdminPrincipal
  readonly source = new Readable({ read: () => undefined, highWaterMark: maxUnread })
  /** Where its panel is, as far as this process knows. */
  place: { readonly type: string; readonly entryId: number } | undefined
  /** The people in it, as they were sent last. */
  sentPeople = ''
  private sentAtMs = performance.now()

  constructor({ name, credential, principal }: StreamOptions) {
    this.name = name
    this.credential = credential
    this.principal = principal
  }

  get isOpen(): boolean {
    return !this.source.destroyed && !this.source.readableEnded
  }

  /** `data` is one line. */
  send(event: string, data: unknown, id?: number): void {
    this.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** Says that it is still there, if nothing has been said for long. */
  heartbeat(nowMs: number): void {
    if (nowMs - this.sentAtMs > heartbeatMs) this.write(':\n\n')
  }

  private write(text: string): void {
    if (!this.isOpen) return
    this.sentAtMs = performance.now()
    this.source.push(text)
    // Whoever reads so slowly reads anew: nothing is kept for them.
    if (this.source.readableLength > maxUnread) this.source.destroy(new Error('the reader is too slow'))
  }

  /** Ends the answer in good order. */
  end(): void {
    if (this.isOpen) this.source.push(null)
  }
}
