import type { HttpRequest, HttpResponse, us_socket_context_t } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import type { Readable } from 'node:stream'
import { compactAddress } from '../requests/client-address.ts'
import { discardSilenceMs, discardTimeoutMs, maxDiscardedBytes } from '../requests/discard-limits.ts'
import { fieldIn, repeatedIn } from '../requests/header-fields.ts'
import type { InFlight } from './in-flight.ts'
import type {
  BodySink,
  EventWriter,
  Exchange,
  HeaderLines,
  SendOptions,
  SocketListener,
} from './server-port.ts'
import { UwsEvents } from './uws-events.ts'
import { UwsSocket, type UwsSocketData } from './uws-socket.ts'
import { pumpToUws } from './uws-stream.ts'
import { isSocketRequest } from './web-socket-request.ts'

const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([status, text]) => [Number(status), `${status} ${text}`]),
)

/**
 * An exchange with uWebSockets.js. Its request is only valid in the callback, its response until the answer
 * or an abort; using either later crashes the process.
 */
export class UwsExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly rawQuery: string
  readonly headBytes: number
  private readonly response: HttpResponse
  private readonly inFlight: InFlight
  /** The context for WebSockets; undefined for requests without a WebSocket key. */
  private readonly socketContext: us_socket_context_t | undefined
  /**
   * Names and values alternate. Reading all of them at once costs no more than looking up the few that are needed.
   */
  private headers: readonly string[]
  /**
   * uWebSockets parses chunks loosely: it accepts a bare LF as the end of a line, and silently drops the two
   * bytes after the last chunk, so that it takes a trailer for the next request. Such a connection therefore
   * serves one request only.
   */
  private readonly isChunked: boolean
  private isInCallback = true
  private copiedAddress: string | undefined
  private sink: BodySink | undefined
  /** Parts of the body that arrived before `receive` was called. */
  private early: Buffer[] | undefined
  private isReceived = false
  private isPaused = false
  private isOver = false
  /**
   * uWebSockets closes the connection if the client asks for it, but leaves announcing that in the answer to us (RFC
   * 9112, 9.6).
   */
  private saysClose: boolean
  /** The last answer of the connection is about to be sent. */
  private isEnding = false
  private isAborted = false
  private abortListeners: (() => void)[] | undefined

  constructor(
    response: HttpResponse,
    request: HttpRequest,
    method: string,
    inFlight: InFlight,
    socketContext?: us_socket_context_t,
  ) {
    this.response = response
    this.method = method
    this.inFlight = inFlight
    this.socketContext = socketContext
    this.path = request.getUrl()
    // Returns undefined without a query, despite its types.
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
    this.saysClose = this.header('connection')?.toLowerCase() === 'close'
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
    return fieldIn(this.headers, name)
  }

  get repeatedHeaders(): readonly string[] {
    return repeatedIn(this.headers)
  }

  /** Copies what a later answer may need, and listens for a disconnect. */
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

  /** Keeps early data: what is in the socket's buffer arrives right after the callback, even without a reader. */
  private holdBody() {
    this.early = []
    this.pause()
    this.listen()
  }

  private listen() {
    this.response.onData((bytes, isLast) => {
      // Set before the bytes are handed over: from here on, pausing has no effect.
      this.isReceived = isLast
      // uWebSockets reuses the memory after the callback.
      if (bytes.byteLength > 0) this.take(Buffer.from(Buffer.from(bytes)))
      if (isLast) this.finishBody()
    })
  }

  private take(bytes: Buffer) {
    if (this.sink === undefined) this.early?.push(bytes)
    else this.sink.chunk(bytes)
  }

  /**
   * Surplus bytes after the chunks make uWebSockets cut the connection first, as nothing has been answered
   * yet.
   */
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
   * Does nothing once the body is complete: uWebSockets would start its idle timeout, and cut the connection
   * if the answer takes longer.
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
    if (this.isOver || this.isEnding) return
    if (this.isChunked || this.inFlight.isDraining || options?.close === true) {
      return this.sendLast(status, headers, body)
    }
    this.unpause()
    this.finishAnswer()
    if (this.isInCallback) this.write(status, headers, body)
    else this.response.cork(() => this.write(status, headers, body))
  }

  /**
   * Inside its callbacks uWebSockets would go on to a pipelined request and forget to close. While an answer
   * is pending it cuts the connection instead, which is just as good.
   */
  private sendLast(status: number, headers: HeaderLines, body: string | Uint8Array | undefined) {
    const copy = body === undefined || this.method === 'HEAD' ? '' : Buffer.from(body)
    this.isEnding = true
    // For answers that close the connection, uWebSockets sends the header itself.
    this.saysClose = false
    const end = () => {
      if (this.isOver) return
      this.unpause()
      this.finishAnswer()
      this.response.cork(() => {
        this.writeHead(status, headers)
        this.response.end(copy, true)
      })
    }
    setImmediate(() => (this.mayHaveBody && !this.isReceived ? this.discardThen(end) : end()))
  }

  private get mayHaveBody(): boolean {
    return this.method !== 'GET' && this.method !== 'HEAD'
  }

  /**
   * uWebSockets closes the connection right after a last answer, and a client that is still sending would see that
   * instead of the answer. So the answer is sent once the client has sent everything or too much, or has fallen
   * silent.
   */
  private discardThen(end: () => void) {
    if (this.isOver) return
    const beganAtMs = performance.now()
    const silence = setTimeout(end, discardSilenceMs)
    this.onAbort(() => clearTimeout(silence))
    let size = 0
    // Deferred, since this runs inside a callback again.
    const stop = () => {
      clearTimeout(silence)
      setImmediate(end)
    }
    const hasListened = this.sink !== undefined || this.early !== undefined
    this.early = undefined
    this.sink = {
      chunk(bytes) {
        size += bytes.length
        if (size > maxDiscardedBytes || performance.now() - beganAtMs > discardTimeoutMs) stop()
        else silence.refresh()
      },
      end: stop,
    }
    if (hasListened) this.unpause()
    else this.listen()
  }

  /** A request answered inside the callback was never counted as in flight. */
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
    const [name, first] = headers
    if (name === undefined || first === undefined) return
    // All lines in one call: uWebSockets writes a value as it is, and each call costs more than the line.
    let lines = first
    for (let index = 2; index < headers.length; index += 2) {
      lines += `\r\n${headers[index]}: ${headers[index + 1]}`
    }
    if (this.saysClose) lines += '\r\nconnection: close'
    this.response.writeHeader(name, lines)
  }

  /** Writes the length itself: given the size, `endWithoutBody` would wait for a body of that size. */
  private endHead(size: number | undefined) {
    if (size !== undefined) this.response.writeHeader('content-length', String(size))
    this.response.endWithoutBody()
  }

  sendStream(status: number, headers: HeaderLines, source: Readable, size: number | undefined) {
    if (this.isOver || this.isEnding) return void source.destroy()
    this.unpause()
    if (this.method === 'HEAD') return this.sendStreamHead(status, headers, source, size)
    this.onAbort(() => source.destroy())
    // uWebSockets cannot close after a stream of a known size: the client does that, or the stop.
    const last = this.inFlight.isDraining && !this.saysClose ? ['connection', 'close'] : []
    this.response.cork(() => this.writeHead(status, [...headers, ...last]))
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

  /** Thousands of these may be open, so everything that only the request needed is released. */
  openEvents(headers: HeaderLines, writer: EventWriter) {
    if (this.isOver || this.isEnding) return writer.closed()
    this.unpause()
    this.headers = []
    const writeHead = () => this.writeHead(200, headers)
    const events = new UwsEvents(this.response, writer, writeHead, () => this.finishAnswer())
    this.onAbort(() => events.aborted())
    writer.opened(events)
  }

  get asksForSocket(): boolean {
    return this.socketContext !== undefined && isSocketRequest(this)
  }

  openSocket(protocol: string, listener: SocketListener) {
    const { response, socketContext } = this
    if (this.isOver || this.isEnding || socketContext === undefined) return listener.closed()
    this.unpause()
    this.finishAnswer()
    const key = this.header('sec-websocket-key') ?? ''
    const data: UwsSocketData = { channel: new UwsSocket(listener) }
    response.cork(() => response.upgrade(data, key, protocol, '', socketContext))
  }
}
