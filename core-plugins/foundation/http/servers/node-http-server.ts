import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { pipeline, type Readable, Transform } from 'node:stream'
import { compactAddress } from '../requests/client-address.ts'
import { discardTimeoutMs, maxDiscardedBytes } from '../requests/discard-limits.ts'
import { fieldIn, repeatedIn } from '../requests/header-fields.ts'
import { watchPace } from './body-pace.ts'
import type { InFlight } from './in-flight.ts'
import { NodeEvents } from './node-events.ts'
import { NodeRequest } from './node-request.ts'
import { type Handshake, NodeSockets, serveAgain } from './node-sockets.ts'
import {
  type AdapterOptions,
  type BodySink,
  type EventWriter,
  type Exchange,
  type ExchangeHandler,
  type HeaderLines,
  type ListenOptions,
  maxHeaderBytes,
  type SendOptions,
  type ServerAdapter,
  type SocketListener,
  stallTimeoutMs,
} from './server-port.ts'
import { isSocketRequest } from './web-socket-request.ts'

const options = {
  maxHeaderSize: maxHeaderBytes,
  // Bodies may take any time as long as data keeps arriving: see `watchPace`.
  requestTimeout: 0,
  connectionsCheckingInterval: 2_000,
}

export interface NodeHttpOptions extends AdapterOptions {
  /** How many connections may be open at a time; as many as there can be by default. */
  readonly maxConnections?: number
  /** How long a client may take to send a head, in milliseconds; 10 s by default. */
  readonly headersTimeoutMs?: number
}

/** The server for machines without a binary of uWebSockets.js, and for what that does not speak, such as HTTP/1.0. */
export function createNodeHttpServer(
  handle: ExchangeHandler,
  {
    inFlight,
    maxMessageBytes,
    maxConnections,
    idleTimeoutMs,
    headersTimeoutMs = stallTimeoutMs,
  }: NodeHttpOptions,
): ServerAdapter {
  const sockets = new NodeSockets(maxMessageBytes)
  const timeouts = { keepAliveTimeout: idleTimeoutMs, headersTimeout: headersTimeoutMs }
  const end = () => inFlight.end()
  const serve = (request: NodeRequest, response: ServerResponse, options: NodeExchangeOptions) => {
    if (closing.has(request.socket)) return void response.destroy()
    const exchange = new NodeExchange(request, response, options)
    request.hasBody = exchange.announcesBody
    if (request.hasBody) watchPace(request)
    handle(exchange)
    if (exchange.isWritten) return
    inFlight.begin()
    response.on('close', end)
  }
  const usual = { inFlight }
  const server = createServer(
    { ...options, ...timeouts, ...upgrades, IncomingMessage: NodeRequest },
    (request, response) => serve(request, response, usual),
  )
  if (maxConnections !== undefined) server.maxConnections = maxConnections
  // A limit here would silently drop the excess headers.
  server.maxHeadersCount = 0
  const afterContinue = { inFlight, awaitsContinue: true }
  server.on('checkContinue', (request, response) => serve(request, response, afterContinue))
  server.on('upgrade', (request, socket: Socket, head) => {
    const handshake = { request, socket, head }
    if (asksForSocket(request)) handle(socketExchange(handshake, sockets, inFlight))
    // Node.js before 24.9 does not call it.
    else serveAgain(server, handshake)
  })
  return {
    name: 'node-http',
    listen: (options) => listen(server, options),
    stopListening: () => {
      server.close()
      server.closeIdleConnections()
    },
    close: () => {
      server.closeAllConnections()
      sockets.cutAll()
    },
  }
}

/** Other protocols in `Upgrade` are optional: such requests are served as if they had none, except for WebSockets. */
const upgrades = { shouldUpgradeCallback: (request: IncomingMessage) => asksForSocket(request) }

function asksForSocket(request: IncomingMessage): boolean {
  const lines = headerLinesOf(request)
  return isSocketRequest({ method: request.method ?? '', header: (name) => fieldIn(lines, name) })
}

/** With names in lower case. `headers` would drop lines, of some fields all but the first. */
function headerLinesOf({ rawHeaders }: IncomingMessage): HeaderLines {
  return rawHeaders.map((text, index) => (index % 2 === 0 ? text.toLowerCase() : text))
}

/** An exchange for a WebSocket request. After any other answer the connection is closed. */
function socketExchange(
  handshake: Handshake<NodeRequest>,
  sockets: NodeSockets,
  inFlight: InFlight,
): Exchange {
  const { request, socket } = handshake
  socket.on('error', () => socket.destroy())
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.once('finish', () => socket.destroySoon())
  inFlight.begin()
  const end = () => inFlight.end()
  response.once('close', end)
  const goOn: OpenSocket = (protocol, listener) => {
    response.off('close', end)
    response.detachSocket(socket)
    end()
    sockets.accept(handshake, protocol, listener).catch(() => socket.destroy())
  }
  return new NodeExchange(request, response, { inFlight, goOn })
}

/** A target may be an absolute URL (RFC 9112, 3.2.2), of which only the part after the host matters. */
function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const rest = /^https?:\/\/[^/?]+(.*)$/i.exec(target)?.[1]
  if (rest === undefined) return target
  return rest.startsWith('/') ? rest : `/${rest}`
}

function listen(server: Server, { host, port }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Connections that close after the current answer: requests already read from them are not served. */
const closing = new WeakSet<Socket>()

type OpenSocket = (protocol: string, listener: SocketListener) => void

interface NodeExchangeOptions {
  readonly inFlight: InFlight
  /** The client waits for a 100 before it sends its body (`Expect: 100-continue`). */
  readonly awaitsContinue?: boolean
  /** Opens the requested WebSocket. */
  readonly goOn?: OpenSocket
}

class NodeExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly rawQuery: string
  private readonly headers: HeaderLines
  private readonly address: string | undefined
  private readonly request: NodeRequest
  private readonly response: ServerResponse
  private readonly inFlight: InFlight
  private readonly goOn: OpenSocket | undefined
  private readonly awaitsContinue: boolean
  private isAnswered = false
  private abortListeners: (() => void)[] | undefined

  constructor(request: NodeRequest, response: ServerResponse, options: NodeExchangeOptions) {
    const url = originForm(request.url ?? '')
    const mark = url.indexOf('?')
    this.request = request
    this.response = response
    this.inFlight = options.inFlight
    this.goOn = options.goOn
    this.awaitsContinue = options.awaitsContinue === true
    this.method = request.method ?? ''
    this.path = mark === -1 ? url : url.slice(0, mark)
    this.rawQuery = mark === -1 ? '' : url.slice(mark + 1)
    this.headers = headerLinesOf(request)
    // Not available any more once the connection is closed.
    this.address = request.socket.remoteAddress
  }

  get peerAddress(): string {
    return compactAddress(this.address ?? '')
  }

  get headBytes(): number {
    let sum = this.method.length + (this.request.url ?? '').length
    for (const text of this.headers) sum += text.length
    return sum
  }

  get headerCount(): number {
    return this.headers.length / 2
  }

  header(name: string): string | undefined {
    return fieldIn(this.headers, name)
  }

  get repeatedHeaders(): readonly string[] {
    return repeatedIn(this.headers)
  }

  /** Whether the request has a body, even an empty one. */
  get announcesBody(): boolean {
    return this.header('content-length') !== undefined || this.header('transfer-encoding') !== undefined
  }

  /** Whether all of the answer has been handed to the system. */
  get isWritten(): boolean {
    const { writableEnded, socket } = this.response
    return writableEnded && socket !== null && socket.writableLength === 0
  }

  receive(sink: BodySink) {
    if (this.awaitsContinue) this.response.writeContinue()
    if (!this.request.hasBody) return sink.end()
    this.request.on('data', (chunk: Buffer) => sink.chunk(chunk))
    this.request.on('end', () => sink.end())
  }

  /** No effect once answered: a client whose remaining body is not read would block the connection. */
  pause() {
    if (!this.isAnswered) this.request.pause()
  }

  resume() {
    this.request.resume()
  }

  onAbort(listener: () => void) {
    if (this.response.destroyed) {
      if (!this.response.writableFinished) listener()
    } else if (this.abortListeners === undefined) this.watchForAbort([listener])
    else this.abortListeners.push(listener)
  }

  /** Registers one listener on the response for all abort listeners. */
  private watchForAbort(listeners: (() => void)[]) {
    this.abortListeners = listeners
    this.response.once('close', () => {
      if (this.isAnswered || this.response.writableFinished) return
      for (const listener of listeners) listener()
    })
  }

  send(status: number, headers: HeaderLines, body: string | Uint8Array | undefined, options?: SendOptions) {
    const { request, response } = this
    if (response.headersSent || response.destroyed) return
    this.isAnswered = true
    if (options?.close === true) {
      closing.add(request.socket)
      response.shouldKeepAlive = false
    }
    this.writeHead(status, headers, body === undefined ? undefined : Buffer.byteLength(body))
    if (request.hasBody) request.resume()
    const isWhole = options?.isLasting === true || typeof body !== 'object'
    const sent = this.method === 'HEAD' ? undefined : isWhole ? body : copyOf(body)
    if (this.isReceived) response.end(sent)
    else this.sendEarly(sent)
  }

  /** Once the service drains, every answer closes its connection. */
  private writeHead(status: number, headers: HeaderLines, size: number | undefined) {
    const { response, inFlight } = this
    if (inFlight.isDraining) response.shouldKeepAlive = false
    const lines = [...headers]
    if (size !== undefined) lines.push('content-length', String(size))
    response.writeHead(status, lines)
  }

  /** Whether the body is complete, or node:http would not read more of it. */
  private get isReceived(): boolean {
    const { complete, hasBody } = this.request
    if (complete || !hasBody) return true
    const coding = this.header('transfer-encoding')
    return coding !== undefined && coding !== 'chunked'
  }

  /**
   * Answers while the client is still sending, and drops what arrives. The answer ends when the body does: otherwise
   * node:http would either close the connection with the rest unread, or read on without end.
   */
  private sendEarly(body: string | Uint8Array | undefined) {
    const { request, response } = this
    if (body === undefined) response.flushHeaders()
    else response.write(body)
    let size = 0
    const cut = () => request.socket.destroy()
    const timer = setTimeout(cut, discardTimeoutMs)
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxDiscardedBytes) cut()
    })
    request.once('end', () => response.end())
    response.once('close', () => clearTimeout(timer))
  }

  sendStream(status: number, headers: HeaderLines, source: Readable, size: number | undefined) {
    const { response } = this
    if (response.headersSent || response.destroyed) return void source.destroy()
    this.writeHead(status, headers, size)
    if (this.method === 'HEAD') {
      source.destroy()
      response.end()
    } else if (size === undefined) pipeline(source, response, () => undefined)
    else pipeline(source, exactly(size), response, () => undefined)
  }

  openEvents(headers: HeaderLines, writer: EventWriter) {
    const { request, response } = this
    if (response.headersSent || response.destroyed) return writer.closed()
    this.writeHead(200, headers, undefined)
    request.resume()
    writer.opened(new NodeEvents(response, writer))
  }

  get asksForSocket(): boolean {
    return this.goOn !== undefined
  }

  openSocket(protocol: string, listener: SocketListener) {
    const { response } = this
    if (this.goOn === undefined || response.headersSent || response.destroyed) return listener.closed()
    this.goOn(protocol, listener)
  }
}

/** Copies bytes whose memory the next answer overwrites, possibly before this one has been written. */
function copyOf(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafe(bytes.length)
  copy.set(bytes)
  return copy
}

/** Fails on more or fewer bytes than announced: clients would take a surplus for the next answer. */
function exactly(size: number): Transform {
  let rest = size
  const mismatch = () => new Error(`a stream of ${size} bytes delivered ${size - rest}`)
  return new Transform({
    transform(chunk: Buffer, _, done) {
      rest -= chunk.length
      if (rest < 0) done(mismatch())
      else done(null, chunk)
    },
    flush: (done) => (rest === 0 ? done() : done(mismatch())),
  })
}
