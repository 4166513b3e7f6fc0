import type { HttpResponse } from 'uWebSockets.js'
import type { Readable } from 'node:stream'

export interface PumpOptions {
  readonly source: Readable
  readonly response: HttpResponse
  /** The announced size in bytes, if any. */
  readonly size: number | undefined
  /** Whether the client has disconnected. */
  isOver(): boolean
  /** The answer is complete, or was cut. */
  onEnd(): void
}

/** A chunk that uWebSockets has not fully accepted yet, and its offset in the answer. */
interface Waiting {
  readonly chunk: Buffer
  readonly offset: number
}

/** Sends `source` at the pace of the client. */
export function pumpToUws(options: PumpOptions) {
  new Pump(options).start()
}

class Pump {
  private readonly options: PumpOptions
  private waiting: Waiting | undefined
  private isFull = false
  private isEnded = false

  constructor(options: PumpOptions) {
    this.options = options
  }

  start() {
    const { source, response } = this.options
    // uWebSockets only uses the first handler of a response.
    response.onWritable((offset) => this.goOn(offset))
    source.on('data', (chunk: Buffer | string) => this.take(Buffer.from(chunk)))
    source.on('end', () => this.end())
    source.on('error', () => this.cut())
  }

  private take(chunk: Buffer) {
    const { response, size, isOver } = this.options
    if (isOver()) return
    response.cork(() => {
      this.isFull = size === undefined ? !response.write(chunk) : !this.writeOf(size, chunk)
    })
    if (this.isFull) this.options.source.pause()
  }

  /** For a known size; returns false if part of the chunk has to wait. */
  private writeOf(size: number, chunk: Buffer): boolean {
    const offset = this.options.response.getWriteOffset()
    if (offset + chunk.length > size) {
      this.cut()
      return true
    }
    const isTaken = this.tryToWrite(size, chunk)
    this.waiting = isTaken ? undefined : { chunk, offset }
    return isTaken
  }

  private tryToWrite(size: number, chunk: Buffer): boolean {
    const [isTaken, isComplete] = this.options.response.tryEnd(chunk, size)
    if (isComplete) this.options.onEnd()
    return isTaken
  }

  /** Without a size, uWebSockets has already buffered everything and only signals when to continue. */
  private goOn(offset: number): boolean {
    const { waiting } = this
    const { size, source } = this.options
    if (waiting !== undefined && size !== undefined) {
      if (!this.tryToWrite(size, waiting.chunk.subarray(offset - waiting.offset))) return false
      this.waiting = undefined
      if (this.isEnded) this.end()
    }
    if (this.isFull) source.resume()
    this.isFull = false
    return true
  }

  /** May be called while part of the last chunk is still waiting, even though the source is paused. */
  private end() {
    const { isOver, size, response, onEnd } = this.options
    this.isEnded = true
    if (isOver() || this.waiting !== undefined) return
    if (size !== undefined && size > 0) return this.cut()
    response.cork(() => response.end())
    onEnd()
  }

  /** Part of the answer has been sent, so cutting the connection is the only way left to report a failure. */
  private cut() {
    const { isOver, onEnd, source, response } = this.options
    if (isOver()) return
    onEnd()
    source.destroy()
    response.close()
  }
}
