import type { Readable } from 'node:stream'
import type { AnswerInMaking } from '../answers/answer-keeper.ts'
import type { AnswerLabel } from '../answers/answer-labels.ts'
import type { CompiledRoute } from '../routes/compile-route.ts'
import type { GuardRequest } from '../routes/guard.ts'
import type { Method, Route, RouteRequest } from '../routes/route.ts'
import type { Exchange, HeaderLines } from '../servers/server-port.ts'
import type { AuthenticatorRequest } from './authenticator.ts'
import { streamBody } from './body.ts'
import type { AdminPrincipal, Principal } from './principal.ts'

const anonymous: Principal = Object.freeze({ kind: 'anonymous' })

const noValues: Readonly<Record<string, never>> = Object.freeze(Object.create(null))

/** Returns the address of the client behind an exchange. */
export type AddressReader = (exchange: Exchange) => string

/**
 * A request on its way through the stages of `request-stages.ts`, each of which fills in its part. Properties that
 * few handlers need are computed on demand.
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
  /** Undefined until a route has been found. */
  compiled: CompiledRoute | undefined
  /** The name of the fallback that answers in place of a route. */
  fallback: string | undefined
  /** For the answer, in addition to its own: CORS, rate limit. */
  extraHeaders: HeaderLines | undefined
  /** Whether it was admitted before its caller was identified. */
  isAdmitted: boolean
  /** What the handler returned. */
  result: unknown
  isAnswered: boolean
  /** Receives the answer, to keep it. */
  making: AnswerInMaking | undefined
  /** The error because of which the request can only be answered from memory. */
  outage: unknown
  /** The headers that tell caches what they may do with the answer. */
  label: AnswerLabel | undefined
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
    this.fallback = undefined
    this.extraHeaders = undefined
    this.isAdmitted = false
    this.result = undefined
    this.isAnswered = false
    this.making = undefined
    this.outage = undefined
    this.label = undefined
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

  /** The route, for stages after the one that finds it. */
  get foundRoute(): CompiledRoute {
    if (this.compiled === undefined) throw new Error('a stage before routing accessed the route')
    return this.compiled
  }

  /** Whether the request has any credentials, valid or not. */
  get hasCredentials(): boolean {
    return this.foundRoute.credentialHeaders.some((name) => this.exchange.header(name) !== undefined)
  }

  /** Can be read after the answer only if it was read before. */
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

  /** See `Recipient`: a signal takes far more memory than a listener. */
  onGone(listener: () => void) {
    this.exchange.onAbort(listener)
  }

  addHeaders(headers: HeaderLines) {
    this.extraHeaders = this.extraHeaders === undefined ? headers : [...this.extraHeaders, ...headers]
  }
}
