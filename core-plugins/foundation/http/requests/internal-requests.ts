import type { Readable } from 'node:stream'
import { AppError } from '../answers/app-error.ts'
import type { InternalAnswer, InternalRequest } from '../http-service.ts'
import { pathOf } from '../routes/paths.ts'
import type { BodySink, EventWriter, Exchange, HeaderLines, SocketListener } from '../servers/server-port.ts'
import { createRequestHandler } from './handle-request.ts'
import type { RequestEnvironment } from './request-stage.ts'

/** See `Http.dispatch`. */
export function createInternalRequests(
  environment: RequestEnvironment,
  apiPrefix: string,
): (request: InternalRequest) => Promise<InternalAnswer> {
  // Everything else that changes at run time is read through the prototype.
  const uncounted: RequestEnvironment = Object.create(environment, { rateLimiter: { value: undefined } })
  const handle = createRequestHandler(uncounted)
  const handleCounted = createRequestHandler(environment)
  return (request) =>
    new Promise((resolve, reject) => {
      const exchange = new InternalExchange(request, filledPath(request, apiPrefix), { resolve, reject })
      assertLeadsTo(request, exchange, environment)
      const gone = () => reject(new AppError('CLIENT_GONE', 'the client disconnected'))
      if (request.signal.aborted) return gone()
      request.signal.addEventListener('abort', gone, { once: true })
      if (request.isCounted === true) handleCounted(exchange)
      else handle(exchange)
    })
}

function filledPath({ route, params }: InternalRequest, apiPrefix: string): string {
  const path = pathOf(route, apiPrefix)
  return path.replace(/:(\w+)|\*$/g, (_, name: string = '*') => {
    const value = Object.hasOwn(params, name) ? (params[name] ?? '') : ''
    if (value === '') throw missing(name)
    return name === '*' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
}

function missing(name: string): AppError {
  return AppError.invalid([{ path: name, code: 'required', message: 'is required' }])
}

/**
 * Throws if a parameter would change the meaning of the path: `/content/article/trash` is not an entry with the id
 * `trash`.
 */
function assertLeadsTo({ route }: InternalRequest, { path }: Exchange, { router }: RequestEnvironment): void {
  if (router.find(route.method, path)?.route.route === route) return
  throw new AppError('VALIDATION_ERROR', `these parameters do not lead to ${route.name}`)
}

interface Settlement {
  readonly resolve: (answer: InternalAnswer) => void
  readonly reject: (error: unknown) => void
}

/** A request that did not come from a client, and whose answer is collected. */
class InternalExchange implements Exchange {
  readonly method: string
  readonly path: string
  readonly rawQuery: string
  readonly peerAddress: string
  private readonly request: InternalRequest
  private readonly settlement: Settlement

  constructor(request: InternalRequest, path: string, settlement: Settlement) {
    this.request = request
    this.method = request.route.method
    this.path = path
    this.rawQuery = request.rawQuery
    this.peerAddress = request.ip
    this.settlement = settlement
  }

  get headBytes(): number {
    const headers = Object.entries(this.request.headers).flat()
    return headers.reduce((sum, text) => sum + text.length, this.path.length + this.rawQuery.length)
  }

  get headerCount(): number {
    return Object.keys(this.request.headers).length
  }

  header(name: string): string | undefined {
    const { headers } = this.request
    return Object.hasOwn(headers, name) ? headers[name] : undefined
  }

  readonly repeatedHeaders: readonly string[] = []

  receive(sink: BodySink) {
    const { body } = this.request
    if (body !== undefined && body.length > 0) sink.chunk(body)
    sink.end()
  }

  pause() {}

  resume() {}

  onAbort(listener: () => void) {
    const { signal } = this.request
    if (signal.aborted) listener()
    else signal.addEventListener('abort', listener, { once: true })
  }

  send(status: number, headers: HeaderLines, body: string | Uint8Array | undefined) {
    if ((body?.length ?? 0) > this.request.maxAnswerBytes) return this.refuseLarge()
    this.answer(status, headers, Buffer.from(body ?? ''))
  }

  sendStream(status: number, headers: HeaderLines, source: Readable) {
    const chunks: Buffer[] = []
    let size = 0
    source.on('data', (chunk: Buffer | string) => {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      size += bytes.length
      if (size <= this.request.maxAnswerBytes) chunks.push(bytes)
      else source.destroy(tooLarge(this.request))
    })
    source.on('end', () => this.answer(status, headers, Buffer.concat(chunks)))
    source.on('error', (error) => this.settlement.reject(error))
  }

  openEvents(_: HeaderLines, writer: EventWriter) {
    writer.closed()
    this.settlement.reject(new AppError('VALIDATION_ERROR', 'the route answers with an endless stream'))
  }

  readonly asksForSocket = false

  openSocket(_: string, listener: SocketListener) {
    listener.closed()
    this.settlement.reject(new AppError('VALIDATION_ERROR', 'the route answers with a WebSocket'))
  }

  private refuseLarge() {
    this.settlement.reject(tooLarge(this.request))
  }

  private answer(status: number, lines: HeaderLines, body: Buffer) {
    const headers: Record<string, string> = Object.create(null)
    for (let index = 0; index < lines.length; index += 2) {
      const name = lines[index]?.toLowerCase() ?? ''
      headers[name] ??= lines[index + 1] ?? ''
    }
    this.settlement.resolve({ status, headers, body })
  }
}

function tooLarge({ maxAnswerBytes }: InternalRequest): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `the answer is larger than ${maxAnswerBytes} bytes: ask for less`)
}
