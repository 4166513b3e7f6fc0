import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import { compactAddress } from './client-address.ts'
import type { InFlight } from './in-flight.ts'
import type { BodySink, Exchange, HeaderLines, SendOptions } from './server-port.ts'
import { pumpToUws } from './uws-stream.ts'

const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([status, text]) => [Number(status), `${status} ${text}`]),
)

/**
 * An exchange with uWebSockets.js. Its request lives in the callback only and its response until the
 * answer or an abort; both bring the process down when they are used later.
 */
export class UwsExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly rawQuery: string
  readonly headBytes: number
  private readonly response: HttpResponse
  private readonly inFlight: InFlight
  /** Names and values in turns. Reading all of them at once costs no more than asking for those that are needed. */
  private readonly headers: readonly string[]
  /**
   * uWebSockets reads chunks loosely: it takes a bare LF for the end of a line, and drops the two bytes behind the last
   * chunk unseen, so that it takes a trailer for the next request. Such a connection serves one request only.
   */
  private readonly isChunked: boolean
  private isInCallback = true
  private copiedAddress: string | undefined
  private sink: BodySink | undefined
  /** What came of the body before somebody asked for it. */
  private early: Buffer[] | undefined
  private isReceived = false
  private isPaused = false
  private isOver = false
  private isAborted = false
  private abortListeners: (() => void)[] | undefined

  constructor(response: HttpResponse, request: HttpRequest, method: string, inFlight: InFlight) {
    this.response = response
    this.method = method
    this.inFlight = inFlight
    this.path = request.getUrl()
    // Without a query it answers undefined, whatever its types say.
    this.rawQuery = request.getQuery() ?? ''
    const headers: string[] = []
    let headBytes = method.length + this.path.length + this.rawQuery.length
    request.forEach((name, value) => {
      headers.push(name, value)
      headBytes += name.length + value.length
    })
    this.headers = headers
    this.headBytes = headBytes
    this.isChunked = this.header('transfer-encoding') !== undefined
  }

  get headerCount(): number {
    return this.headers.length / 2
  }

  get peerAddress(): string {
    this.copiedAddress ??= this.isOver ? '' : this.readAddress()
    return this.copiedAddress
  }

  private readAddress(): string {
    return compactAddress(Buffer.from(this.response.getRemoteAddressAsText()).toString('latin1'))
  }

  header(name: string): string | undefined {
    const { headers } = this
    for (let index = 0; index < headers.length; index += 2) {
      if (headers[index] === name) return headers[index + 1]
    }
    return undefined
  }

  headerValues(name: string): string[] {
    return this.headers.filter((_, index) => index % 2 === 1 && this.headers[index - 1] === name)
  }

  /** What an answer that comes later may need is copied, and its client watched. */
  leaveCallback() {
    if (!this.isOver) this.outliveCallback()
    this.isInCallback = false
  }

  private outliveCallback() {
    this.inFlight.begin()
    this.copiedAddress ??= this.readAddress()
    this.response.onAborted(() => this.abort())
    if (this.sink === undefined && this.method !== 'GET') this.holdBody()
  }

  private abort() {
    if (this.isOver) return
    this.finishAnswer()
    this.isAborted = true
    for (const listener of this.abortListeners ?? []) listener()
  }

  /** What is in the socket's buffer comes right after the callback, whether or not somebody listens. */
  private holdBody() {
    this.early = []
    this.pause()
    this.listen()
  }

  private listen() {
    this.response.onData((bytes, isLast) => {
      // Known before the bytes are handed over: nothing can be held back any more.
      this.isReceived = isLast
      // uWebSockets takes the memory back after the callback.
      if (bytes.byteLength > 0) this.take(Buffer.from(Buffer.from(bytes)))
      if (isLast) this.finishBody()
    })
  }

  private take(bytes: Buffer) {
    if (this.sink === undefined) this.early?.push(bytes)
    else this.sink.chunk(bytes)
  }

  /** Whatever came along behind the chunks makes uWebSockets cut the connection first, as nothing is answered yet. */
  private finishBody() {
    if (!this.isChunked) this.sink?.end()
    else setImmediate(() => this.isOver || this.sink?.end())
  }

  receive(sink: BodySink) {
    this.sink = sink
    if (this.early === undefined) return this.listen()
    for (const bytes of this.early) sink.chunk(bytes)
    this.early = undefined
    if (this.isReceived) sink.end()
    else this.resume()
  }

  pause() {
    if (this.isPaused || this.isOver || this.isReceived) return
    this.isPaused = true
    this.response.pause()
  }

  /**
   * Once all is received it does nothing: uWebSockets would begin to count the time in which nothing comes, and cut
   * a connection whose answer takes longer than that.
   */
  resume() {
    if (!this.isReceived) this.unpause()
  }

  private unpause() {
    if (!this.isPaused || this.isOver) return
    this.isPaused = false
    this.response.resume()
  }

  onAbort(listener: () => void) {
    if (this.isAborted) return listener()
    this.abortListeners ??= []
    this.abortListeners.push(listener)
  }

  send(status: number, headers: HeaderLines, body: string | Uint8Array | undefined, options?: SendOptions) {
    if (this.isOver) return
    if (this.isChunked || this.inFlight.isDraining || options?.close === true) {
      return this.sendLast(status, headers, body)
    }
    this.unpause()
    this.finishAnswer()
    if (this.isInCallback) this.write(status, headers, body)
    else this.response.cork(() => this.write(status, headers, body))
  }

  /**
   * In its callbacks uWebSockets would go on to a request that came along with this one, and forget to close.
   * While an answer is pending it cuts the connection instead, which is as well.
   */
  private sendLast(status: number, headers: HeaderLines, body: string | Uint8Array | undefined) {
    const copy = body === undefined || this.method === 'HEAD' ? '' : Buffer.from(body)
    setImmediate(() => {
      if (this.isOver) return
      this.unpause()
      this.finishAnswer()
      this.response.cork(() => {
        this.writeHead(status, headers)
        this.response.end(copy, true)
      })
    })
  }

  /** One that is answered inside of the callback was never in flight for anybody else to see. */
  private finishAnswer() {
    this.isOver = true
    if (!this.isInCallback) this.inFlight.end()
  }

  private write(status: number, headers: HeaderLines, body: string | Uint8Array | undefined) {
    this.writeHead(status, headers)
    if (body === undefined) this.response.endWithoutBody()
    else if (this.method === 'HEAD') this.endHead(Buffer.byteLength(body))
    else this.response.end(body)
  }

  private writeHead(status: number, headers: HeaderLines) {
    if (status !== 200) this.response.writeStatus(statusLines.get(status) ?? String(status))
    for (let index = 0; index < headers.length; index += 2) {
      this.response.writeHeader(headers[index] as string, headers[index + 1] as string)
    }
  }

  /** Told the size itself, `endWithoutBody` would wait for a body of that size. */
  private endHead(size: number | undefined) {
    if (size !== undefined) this.response.writeHeader('content-length', String(size))
    this.response.endWithoutBody()
  }

  sendStream(status: number, headers: HeaderLines, source: Readable, size: number | undefined) {
    if (this.isOver) return void source.destroy()
    this.unpause()
    if (this.method === 'HEAD') return this.sendStreamHead(status, headers, source, size)
    this.onAbort(() => source.destroy())
    this.response.cork(() => this.writeHead(status, headers))
    pumpToUws({
      source,
      response: this.response,
      size,
      isOver: () => this.isOver,
      onEnd: () => this.finishAnswer(),
    })
  }

  private sendStreamHead(status: number, headers: HeaderLines, source: Readable, size: number | undefined) {
    source.destroy()
    this.finishAnswer()
    this.response.cork(() => {
      this.writeHead(status, headers)
      this.endHead(size)
    })
  }
}
