import type { Readable } from 'node:stream'
import { streamBody } from './body.ts'
import type { CompiledRoute } from './compile-route.ts'
import type {
  AdminPrincipal,
  AuthenticatorRequest,
  GuardRequest,
  Method,
  Principal,
  Route,
  RouteRequest,
} from './http.ts'
import type { Exchange, HeaderLines } from './server-port.ts'

const anonymous: Principal = Object.freeze({ kind: 'anonymous' })

const noValues: Readonly<Record<string, never>> = Object.freeze(Object.create(null))

/** Tells the address of the client behind an exchange. */
export type AddressReader = (exchange: Exchange) => string

/**
 * A request on its way through the stages of `handle-request.ts`, each of which fills in its part.
 * What few handlers ask for is made when it is asked for.
 */
export class IncomingRequest implements RouteRequest, GuardRequest, AuthenticatorRequest {
  readonly exchange: Exchange
  readonly requestId: string
  readonly method: Method
  readonly path: string
  readonly rawQuery: string
  readonly startedAt: number
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
  principal: Principal
  /** Undefined until, and unless, a route was found. */
  compiled: CompiledRoute | undefined
  /** For the answer, besides its own: CORS, rate limit. */
  extraHeaders: HeaderLines | undefined
  private readonly readAddress: AddressReader
  private address: string | undefined
  private openedStream: Readable | undefined
  private abortController: AbortController | undefined

  constructor(exchange: Exchange, requestId: string, readAddress: AddressReader) {
    this.exchange = exchange
    this.requestId = requestId
    this.method = (exchange.method === 'HEAD' ? 'GET' : exchange.method) as Method
    this.path = exchange.path
    this.rawQuery = exchange.rawQuery
    this.startedAt = performance.now()
    this.params = noValues
    this.query = noValues
    this.body = undefined
    this.principal = anonymous
    this.compiled = undefined
    this.extraHeaders = undefined
    this.readAddress = readAddress
    this.address = undefined
    this.openedStream = undefined
    this.abortController = undefined
  }

  get isHead(): boolean {
    return this.exchange.method === 'HEAD'
  }

  get adminUser(): AdminPrincipal | undefined {
    return this.principal.kind === 'admin' ? this.principal : undefined
  }

  get route(): Route {
    return this.foundRoute.route
  }

  /** The route, for stages behind the one that looks for it. */
  get foundRoute(): CompiledRoute {
    if (this.compiled === undefined) throw new Error('a stage before routing asked for the route')
    return this.compiled
  }

  /** Cannot be read any more when the request was answered, unless it was read before. */
  get ip(): string {
    this.address ??= this.readAddress(this.exchange)
    return this.address
  }

  header(name: string): string | undefined {
    return this.exchange.header(name.toLowerCase())
  }

  get stream(): Readable {
    this.openedStream ??= streamBody(this.exchange, this.foundRoute.maxBodyBytes)
    return this.openedStream
  }

  get signal(): AbortSignal {
    if (this.abortController === undefined) {
      const controller = new AbortController()
      this.abortController = controller
      this.exchange.onAbort(() => controller.abort())
    }
    return this.abortController.signal
  }

  addHeaders(headers: HeaderLines) {
    this.extraHeaders = this.extraHeaders === undefined ? headers : [...this.extraHeaders, ...headers]
  }
}
