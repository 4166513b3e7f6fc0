import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { STATUS_CODES } from 'node:http'
import { createServer } from 'node:net'
import type { Readable } from 'node:stream'
import HyperExpress from 'hyper-express'
import { compactAddress } from './client-address.ts'
import type { InFlight } from './in-flight.ts'
import type {
  BodySink,
  Exchange,
  ExchangeHandler,
  HeaderLines,
  ListenOptions,
  SendOptions,
  ServerAdapter,
} from './server-port.ts'
import { pumpToUws } from './uws-stream.ts'

const statusLines = new Map(
  Object.entries(STATUS_CODES).map(([status, text]) => [Number(status), `${status} ${text}`]),
)

const methods = ['get', 'post', 'put', 'patch', 'del', 'head', 'options'] as const

/**
 * The default server: hyper-express over uWebSockets.js. Requests are taken from its `uws_instance`:
 * its own request and response objects, made for every request, cost about as much as all of ours.
 */
export function createHyperExpressServer(handle: ExchangeHandler, inFlight: InFlight): ServerAdapter {
  const server = new HyperExpress.Server({ auto_close: false })
  for (const method of methods) {
    server.uws_instance[method]('/*', (response, request) =>
      serve(new UwsExchange(response, request, inFlight), handle),
    )
  }
  server.uws_instance.any('/*', (response, request) =>
    serve(new UwsExchange(response, request, inFlight), handle),
  )
  return {
    name: 'hyper-express',
    async listen(options) {
      if (!options.isShared) await expectFreePort(options)
      await server.listen(options.port, options.host)
      return server.port
    },
    stopListening: () => void server.close(),
    close: () => void server.uws_instance.close(),
  }
}

function serve(exchange: UwsExchange, handle: ExchangeHandler) {
  handle(exchange)
  exchange.leaveCallback()
}

/** uWebSockets shares a port with whoever holds it already, so a second service would go unnoticed. */
function expectFreePort({ host, port }: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

class UwsExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly rawQuery: string
  private readonly response: HttpResponse
  private readonly inFlight: InFlight
  /** Valid inside of the callback only; undefined afterwards. */
  private request: HttpRequest | undefined
  private copiedHeaders: [string, string][] | undefined
  private copiedAddress: string | undefined
  private sink: BodySink | undefined
  private early: Buffer[] | undefined
  private isReceived = false
  private isPaused = false
  private isOver = false
  private abortListeners: (() => void)[] | undefined

  constructor(response: HttpResponse, request: HttpRequest, inFlight: InFlight) {
    this.response = response
    this.inFlight = inFlight
    this.request = request
    this.method = request.getCaseSensitiveMethod()
    this.path = request.getUrl()
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
    return this.copiedHeaders?.find(([other]) => other === name)?.[1]
  }

  headerValues(name: string): readonly string[] {
    const headers = this.copiedHeaders ?? this.copyHeaders()
    return headers.filter(([other]) => other === name).map(([, value]) => value)
  }

  private copyHeaders(): [string, string][] {
    const headers: [string, string][] = []
    this.request?.forEach((name, value) => {
      headers.push([name, value])
    })
    this.copiedHeaders = headers
    return headers
  }

  /** uWebSockets frees the request now: what an answer that comes later may need is copied. */
  leaveCallback() {
    if (!this.isOver) {
      this.inFlight.begin()
      if (this.copiedHeaders === undefined) this.copyHeaders()
      this.copiedAddress ??= this.readAddress()
      this.response.onAborted(() => this.abort())
      if (this.sink === undefined) this.holdBody()
    }
    this.request = undefined
  }

  private abort() {
    if (this.isOver) return
    this.finishAnswer()
    for (const listener of this.abortListeners ?? []) listener()
  }

  /** Whatever is in the socket's buffer comes right after the callback, whether or not somebody listens. */
  private holdBody() {
    this.early = []
    this.pause()
    this.listen()
  }

  private listen() {
    this.response.onData((bytes, isLast) => {
      // uWebSockets takes the memory back after the callback.
      if (bytes.byteLength > 0) this.take(Buffer.from(Buffer.from(bytes)))
      if (isLast) this.finish()
    })
  }

  private take(bytes: Buffer) {
    if (this.sink === undefined) this.early?.push(bytes)
    else this.sink.chunk(bytes)
  }

  private finish() {
    this.isReceived = true
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

  resume() {
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
    this.resume()
    this.finishAnswer()
    const close = options?.close ?? false
    if (this.request !== undefined) this.write(status, headers, body, close)
    else this.response.cork(() => this.write(status, headers, body, close))
  }

  /** One that is answered inside of the callback was never in flight for anybody else to see. */
  private finishAnswer() {
    this.isOver = true
    if (this.request === undefined) this.inFlight.end()
  }

  private write(status: number, headers: HeaderLines, body: string | Uint8Array | undefined, close: boolean) {
    this.writeHead(status, headers)
    if (close) this.response.end(this.method === 'HEAD' ? '' : body, true)
    else if (body === undefined) this.response.endWithoutBody()
    else if (this.method === 'HEAD') this.endHead(Buffer.byteLength(body))
    else this.response.end(body)
  }

  private writeHead(status: number, headers: HeaderLines) {
    if (status !== 200) this.response.writeStatus(statusLines.get(status) ?? String(status))
    for (let index = 0; index + 1 < headers.length; index += 2) {
      this.response.writeHeader(headers[index] as string, headers[index + 1] as string)
    }
  }

  /** Telling `endWithoutBody` the size makes it wait for a body of that size. */
  private endHead(size: number | undefined) {
    if (size !== undefined) this.response.writeHeader('content-length', String(size))
    this.response.endWithoutBody()
  }

  sendStream(status: number, headers: HeaderLines, source: Readable, size: number | undefined) {
    if (this.isOver) return void source.destroy()
    this.resume()
    this.onAbort(() => source.destroy())
    this.response.cork(() => this.writeHead(status, headers))
    if (this.method === 'HEAD') {
      this.finishAnswer()
      source.destroy()
      this.response.cork(() => this.endHead(size))
      return
    }
    pumpToUws({
      source,
      response: this.response,
      size,
      isOver: () => this.isOver,
      onEnd: () => this.finishAnswer(),
    })
  }
}
