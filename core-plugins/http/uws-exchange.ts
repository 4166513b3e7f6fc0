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
 * answer or an abort; both bring the process down when they are used later. Answered inside of the
 * callback, as most are, nothing has to be copied.
 */
export class UwsExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly rawQuery: string
  private readonly response: HttpResponse
  private readonly inFlight: InFlight
  /** Undefined after the callback. */
  private request: HttpRequest | undefined
  /** Names and values in turns. */
  private copiedHeaders: string[] | undefined
  private copiedAddress: string | undefined
  private sink: BodySink | undefined
  /** What came of the body before somebody asked for it. */
  private early: Buffer[] | undefined
  private isReceived = false
  private isPaused = false
  private isOver = false
  private abortListeners: (() => void)[] | undefined

  constructor(response: HttpResponse, request: HttpRequest, method: string, inFlight: InFlight) {
    this.response = response
    this.request = request
    this.method = method
    this.inFlight = inFlight
    this.path = request.getUrl()
    // Without a query it answers undefined, whatever its types say.
    this.rawQuery = request.getQuery() ?? ''
  }

  get peerAddress(): string {
    this.copiedAddress ??= this.isOver ? '' : this.readAddress()
    return this.copiedAddress
  }

  private readAddress(): string {
    return compactAddress(Buffer.from(this.response.getRemoteAddressAsText()).toString('latin1'))
  }

  header(name: string): string | undefined {
    if (this.request !== undefined) return this.request.getHeader(name) || undefined
    return this.headerValues(name)[0]
  }

  headerValues(name: string): string[] {
    const headers = this.copiedHeaders ?? this.copyHeaders()
    return headers.filter((_, index) => index % 2 === 1 && headers[index - 1] === name)
  }

  private copyHeaders(): string[] {
    const headers: string[] = []
    this.request?.forEach((name, value) => {
      headers.push(name, value)
    })
    this.copiedHeaders = headers
    return headers
  }

  /** What an answer that comes later may need is copied, and its client watched. */
  leaveCallback() {
    if (!this.isOver) this.outliveCallback()
    this.request = undefined
  }

  private outliveCallback() {
    this.inFlight.begin()
    if (this.copiedHeaders === undefined) this.copyHeaders()
    this.copiedAddress ??= this.readAddress()
    this.response.onAborted(() => this.abort())
    if (this.sink === undefined && this.method !== 'GET') this.holdBody()
  }

  private abort() {
    if (this.isOver) return
    this.finishAnswer()
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

  private finishBody() {
    this.sink?.end()
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
    this.abortListeners ??= []
    this.abortListeners.push(listener)
  }

  send(status: number, headers: HeaderLines, body: string | Uint8Array | undefined, options?: SendOptions) {
    if (this.isOver) return
    if (options?.close === true && this.request !== undefined)
      return this.sendLater(status, headers, body, options)
    this.unpause()
    this.finishAnswer()
    if (this.request !== undefined) this.write(status, headers, body, options)
    else this.response.cork(() => this.write(status, headers, body, options))
  }

  /**
   * In its callback uWebSockets would go on to a request that came along with this one, and forget to close.
   * While an answer is pending it cuts the connection instead, which is as well.
   */
  private sendLater(
    status: number,
    headers: HeaderLines,
    body: string | Uint8Array | undefined,
    options: SendOptions,
  ) {
    const copy = body === undefined ? undefined : Buffer.from(body)
    setImmediate(() => this.send(status, headers, copy, options))
  }

  /** One that is answered inside of the callback was never in flight for anybody else to see. */
  private finishAnswer() {
    this.isOver = true
    if (this.request === undefined) this.inFlight.end()
  }

  private write(
    status: number,
    headers: HeaderLines,
    body: string | Uint8Array | undefined,
    options: SendOptions | undefined,
  ) {
    this.writeHead(status, headers)
    if (options?.close === true) this.response.end(this.method === 'HEAD' ? '' : body, true)
    else if (body === undefined) this.response.endWithoutBody()
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
