import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import {
  type ExtensionPoint,
  extensionPoint,
  type Ordered,
  type ServiceToken,
  type Stage,
  service,
} from '../../kernel/index.ts'
import type { ErrorDetail } from './app-error.ts'
import type { Peers } from './peers.ts'

export { type AdminMiddleware, defineAdminMiddleware } from './admin-middleware.ts'
export { AppError, type ErrorCode, type ErrorDetail } from './app-error.ts'
export { asAppError } from './as-app-error.ts'
export { clientOf, isLoopback, networkOf } from './client-address.ts'
export { isNoneMatch } from './etag.ts'
export type { Peers } from './peers.ts'
export { parseQueryString, type QueryValue, type QueryValues } from './query-string.ts'
export { accepted, created, type Pagination, page, Reply, redirect, stream } from './reply.ts'
export {
  idParams,
  idSchema,
  ignored,
  momentSchema,
  type Range,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  textSchema,
  timestampSchema,
} from './route-schemas.ts'
export { bodyValidator, expectValid, type Validator } from './validation.ts'

/** Who is calling. Made by the authenticator, judged by the guards, read by handlers. */
export type Principal = AnonymousPrincipal | AdminPrincipal | UserPrincipal | TokenPrincipal

export interface AnonymousPrincipal {
  readonly kind: 'anonymous'
}

export interface AdminPrincipal {
  readonly kind: 'admin'
  readonly id: number
  readonly username: string
  readonly role: string
}

/** A content user: an end user of the application. */
export interface UserPrincipal {
  readonly kind: 'user'
  readonly id: number
  readonly username: string
  readonly role: string
}

/** A machine client with an API token. */
export interface TokenPrincipal {
  readonly kind: 'token'
  readonly id: number
  readonly name: string
  readonly scopes: ReadonlySet<string>
  /** Who made it: it may do nothing that they may not. Undefined where the service itself stands behind it. */
  readonly maker?: Maker
}

/** Who can have made what goes on acting for them. */
export type Maker = AdminPrincipal | TokenPrincipal

/**
 * Who may use a route, written next to it, enforced by the guards and expected by the permission matrix test.
 *
 * - `open`: anyone, without credentials
 * - `user`: signed-in content users only
 * - `admin-user`: any signed-in admin user, whatever the role; no API tokens
 * - `area`: admin users with the role `admin` or `super-admin`, and tokens with the route's `scope`
 * - `super-admin`: super-admins only
 * - `permission`: whoever has the permission that the route's `policies` ask for, and tokens with its `scope`
 */
export type Access = 'open' | 'user' | 'admin-user' | 'area' | 'super-admin' | 'permission'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * What a handler sees of a request. Everything is copied: it may be kept past an await. `header` is a
 * method of the request and is called on it.
 */
export interface RouteRequest<
  Params = Record<string, string>,
  Query = Record<string, unknown>,
  Body = unknown,
> {
  readonly requestId: string
  /** The route that serves the request; middleware may want to know. */
  readonly route: Route
  readonly method: Method
  /** A GET whose answer goes out without its body. */
  readonly isHead: boolean
  /** Without the query. */
  readonly path: string
  /** As sent, without `?`; two requests of one route with equal ones have equal `query`. */
  readonly rawQuery: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly principal: Principal
  /** The client's address; a trusted proxy's `X-Forwarded-For` counts (server.trustProxy). */
  readonly ip: string
  header(name: string): string | undefined
  /** The unread body of a route with `bodyMode: 'stream'`. */
  readonly stream: Readable
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
}

/** What a policy or a guard sees: who, and where to; the body and the query have not been read yet. */
export interface GuardRequest {
  readonly principal: Principal
  readonly params: Readonly<Record<string, string>>
  readonly method: Method
  readonly path: string
  /** The caller, where that is an admin user. */
  readonly adminUser: AdminPrincipal | undefined
  header(name: string): string | undefined
}

/** A named check; false is 403, or 401 for a caller without credentials. It may throw an AppError instead. */
export interface Policy {
  readonly name: string
  check(request: GuardRequest): boolean | Promise<boolean>
}

export interface RouteDefinition<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> {
  /** `<area>:<resource>.<verb>`, unique; admin middleware matches it: `admin:backups.create`. */
  readonly name: string
  readonly method: Method
  /** Below the API prefix: `/content/:type/:id`. */
  readonly path: string
  /** `root` takes `path` as it is, without the API prefix in front; for what has an address of its own. */
  readonly mountedAt?: 'api' | 'root'
  readonly summary: string
  readonly description?: string
  /** Groups routes in the API document; the part of `name` before the colon, capitalised, unless told otherwise. */
  readonly tag?: string
  readonly access: Access
  /** What an API token needs, or several of which it needs one. Without it no token may use the route (except for `open` ones). */
  readonly scope?: string | readonly string[]
  /** Names of policies, all of which must hold. */
  readonly policies?: readonly string[]
  readonly params?: Params
  /** Without it `request.query` is empty; a handler may read `rawQuery` in its own way. */
  readonly query?: Query
  /** Without it the route takes no body. */
  readonly body?: Body
  /** The `body` may be left out. */
  readonly isBodyOptional?: boolean
  /**
   * What else is wrong with a body that the schema has refused, so that one answer tells all: `body` has those of its
   * members that the schema finds no fault with. It may also throw what the handler would have thrown first, such as 403.
   */
  judgeRefused?(
    request: RouteRequest<Static<Params>, Static<Query>, Partial<Static<Body>>>,
  ): readonly ErrorDetail[] | Promise<readonly ErrorDetail[]>
  /** `json` unless told otherwise; `stream` hands the body over unread. */
  readonly bodyMode?: 'json' | 'stream'
  /** Largest body in bytes; `server.maxBodySize` unless told otherwise. */
  readonly maxBodyBytes?: number
  /** The schema of `data` in the envelope; checked in tests, so that the API document cannot drift. */
  readonly response?: TSchema
  /** 200 unless told otherwise; for the API document. */
  readonly successStatus?: number
  /** True where the handler heeds `If-Match`, which the API document then shows. */
  readonly takesIfMatch?: boolean
  /** True where the answer comes with `pagination`. */
  readonly isPaginated?: boolean
  /** The answer is not in the envelope: files, documents, metrics. The media type. */
  readonly rawResponse?: string
  /** Not counted by the rate limit, not logged: health probes. */
  readonly isProbe?: boolean
  /** Served also where SVC_ROLE is `worker`, as probes are: what operators ask every process. */
  readonly isServedByWorkers?: boolean
  /**
   * What the audit log calls a successful request, as `<area>.<verb>`: by `name` unless told otherwise (see the audit
   * plugin). False: it is not recorded, as it changes nothing or its handler records it itself.
   */
  readonly audit?: string | false
  /** The third-party plugin that it is of, to be blamed where the route cannot be used. */
  readonly owner?: string
  /** Replaces this route in the API document, e.g. one operation per content type. Called after boot. */
  readonly document?: () => readonly RouteVariant[]
  /** Answers `data`, or a Reply where more than 200 with data is meant. */
  handler(request: RouteRequest<Static<Params>, Static<Query>, Static<Body>>): unknown
}

/** One way in which the API document shows a route. */
export interface RouteVariant {
  /** What stands for the parameters of the route's path here: `{ type: 'article' }`. */
  readonly values?: Readonly<Record<string, string>>
  readonly path: string
  readonly name: string
  readonly summary: string
  readonly tag: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  readonly response?: TSchema
}

export type Route = RouteDefinition

/** Types the handler by the schemas. */
export function defineRoute<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(route: RouteDefinition<Params, Query, Body>): Route {
  return route as unknown as Route
}

export const routes: ExtensionPoint<Route> = extensionPoint('routes')

export const policies: ExtensionPoint<Policy> = extensionPoint('policies')

/**
 * Tells who is calling, from the request's headers. The first that answers wins; none: anonymous.
 * @throws AppError 401 for credentials that are there and wrong
 */
export interface Authenticator {
  /**
   * The request headers that it goes by on a route, in lower case, beside `authorization`: caches are told of them in
   * `Vary`. Asked once per route, at the start.
   */
  headersFor?(route: Route): readonly string[]
  authenticate(request: AuthenticatorRequest): Principal | undefined | Promise<Principal | undefined>
}

export interface AuthenticatorRequest {
  readonly method: Method
  readonly path: string
  readonly route: Route
  readonly ip: string
  header(name: string): string | undefined
}

export const authenticators: ExtensionPoint<Authenticator> = extensionPoint('authenticators')

/** Makes, once per route, the check that runs before anything of the request is parsed. */
export interface RouteGuard extends Ordered {
  /** Undefined where this guard has nothing to say about the route. The check throws an AppError to refuse. */
  compile(
    route: Route,
    policies: ReadonlyMap<string, Policy>,
  ): ((request: GuardRequest) => void | Promise<void>) | undefined
}

/** A route that is not `open` answers 403 to everyone when no guard has anything to say about it. */
export const routeGuards: ExtensionPoint<RouteGuard> = extensionPoint('routeGuards')

/** Admin middleware (specification, "Extension routes"): `target` is the route, matched by its name. */
export type AdminStage = Stage<Route, RouteRequest, unknown>

export const adminMiddleware: ExtensionPoint<AdminStage> = extensionPoint('adminMiddleware')

/** Counts requests for the rate limit. */
export interface RateLimitStore {
  /**
   * Counts one request of `key` and tells how many there were in the present window, and when it ends. Where it
   * rejects, this process counts for itself for a while.
   */
  hit(key: string, windowMs: number): RateLimitHit | Promise<RateLimitHit>
}

export interface RateLimitHit {
  readonly count: number
  readonly resetInMs: number
}

/** Where requests are counted for all processes; the first one counts. Without any, each process counts for itself. */
export const rateLimitStores: ExtensionPoint<RateLimitStore> = extensionPoint('rateLimitStores')

/** A request that has been answered. */
export interface AnsweredRequest {
  /** Undefined where no route was found. */
  readonly route: Route | undefined
  /** As sent; one of the route's where there is one. */
  readonly method: string
  readonly status: number
  /** From the arrival of its head to the answer's being handed to the server. */
  readonly durationMs: number
}

/** Told of every request; must be quick and must not throw. */
export type RequestObserver = (request: AnsweredRequest) => void

export const requestObservers: ExtensionPoint<RequestObserver> = extensionPoint('requestObservers')

/** Why the service is not ready, if so; asked by `readyz`. */
export interface ReadinessCheck {
  readonly name: string
  /** @throws if the service cannot do its work */
  check(): void | Promise<void>
}

export const readinessChecks: ExtensionPoint<ReadinessCheck> = extensionPoint('readinessChecks')

/** The HTTP server of this process. */
export interface Http {
  /** The processes that share the port (SVC_WORKERS). */
  readonly peers: Peers
  /** `http://localhost:2102`, once it listens. */
  readonly url: string
  /** `/api`, or SVC_API_PREFIX. */
  readonly apiPrefix: string
  /** All active routes; complete after boot. */
  readonly routes: readonly Route[]
  /** Whether the guards would let a caller through to a route, with these parameters in its path. */
  admits(route: Route, caller: Caller): Promise<boolean>
  /**
   * Goes on serving for as long as `server.drainMs` says, or until `hurry` is aborted, while `readyz` answers 503 and
   * every answer closes its connection: load balancers turn to other processes before this one stops.
   */
  drain(hurry: AbortSignal): Promise<void>
}

/** Who would call a route, and for what. */
export interface Caller {
  readonly principal: Principal
  /** Those of the path, by name. */
  readonly params: Readonly<Record<string, string>>
}

export const httpService: ServiceToken<Http> = service('http')
