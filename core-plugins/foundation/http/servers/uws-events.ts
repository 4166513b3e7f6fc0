import type { HttpResponse } from 'uWebSockets.js'
import type { EventChannel, EventWriter } from './server-port.ts'

/**
 * An empty comment written after each event. uWebSockets.js ends a chunk only when it begins the next one, and
 * Varnish passes on complete chunks: without it, events would arrive there one too late.
 */
const afterwards = Buffer.from(':\n')

/** See `EventChannel`. The response must not be touched once the answer has ended. */
export class UwsEvents implements EventChannel {
  isOpen = true
  isFull = false
  private readonly response: HttpResponse
  private readonly writer: EventWriter
  private readonly onEnd: () => void
  /** Undefined once it has been written. */
  private writeHead: (() => void) | undefined

  /** `writeHead` is sent with the first chunk; `onEnd` is called before this side ends the answer. */
  constructor(response: HttpResponse, writer: EventWriter, writeHead: () => void, onEnd: () => void) {
    this.response = response
    this.writer = writer
    this.writeHead = writeHead
    this.onEnd = onEnd
    response.onWritable(() => this.drain())
  }

  private drain(): boolean {
    const wasFull = this.isFull
    this.isFull = false
    if (wasFull && this.isOpen) this.writer.drained()
    return true
  }

  write(bytes: Uint8Array) {
    if (!this.isOpen) return
    const { response } = this
    response.cork(() => {
      this.begin()
      response.write(bytes)
      if (!response.write(afterwards)) this.isFull = true
    })
  }

  private begin() {
    this.writeHead?.()
    this.writeHead = undefined
  }

  end() {
    if (!this.isOpen) return
    this.onEnd()
    this.response.cork(() => {
      this.begin()
      this.response.end()
    })
    this.aborted()
  }

  cut() {
    if (!this.isOpen) return
    this.onEnd()
    this.response.close()
    this.aborted()
  }

  /** The client has disconnected, or the answer has been ended. */
  aborted() {
    if (!this.isOpen) return
    this.isOpen = false
    this.writer.closed()
  }
}
