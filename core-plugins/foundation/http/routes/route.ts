import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { ErrorDetail } from '../answers/app-error.ts'
import type { ToldError } from '../answers/error-envelope.ts'
import type { ReplyHeaders } from '../answers/reply.ts'
import type { Principal } from '../requests/principal.ts'

/**
 * Who may use a route, declared next to it, enforced by the guards and expected by the permission matrix
 * test.
 *
 * - `open`: anyone, without credentials
 * - `user`: signed-in content users only
 * - `admin-user`: any signed-in admin user, whatever the role; no API tokens
 * - `area`: admin users with the role `admin` or `super-admin`, and tokens with the route's `scope`
 * - `super-admin`: super-admins only
 * - `permission`: anyone with the permission that the route's `policies` require, and tokens with its `scope`
 */
export type Access = 'open' | 'user' | 'admin-user' | 'area' | 'super-admin' | 'permission'

/** All of them, for checks of what plugins say. */
export const accesses: readonly Access[] = ['open', 'user', 'admin-user', 'area', 'super-admin', 'permission']

/** The methods that routes can have; HEAD is answered by GET. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * As the `scope` of a route with access `permission`: every API token may use it, whatever its scopes. For routes that
 * check each thing that they do by itself.
 */
export const anyScope = '*'

/** How the mcp plugin shows a route to agents: as a tool whose input follows from the schemas of the route. */
export interface RouteTool {
  /** `find_entries`; unique among the routes. */
  readonly name: string
  /** For a reader that knows nothing else of the service: when to use it, what comes back. */
  readonly description: string
}

/** See `RouteDefinition.load`. */
export type LoadClass = 'always' | 'read' | 'dear'

/**
 * A request as handlers see it. Everything is copied and may be kept past an await. `header` must be called
 * as a method.
 */
export interface RouteRequest<
  Params = Record<string, string>,
  Query = Record<string, unknown>,
  Body = unknown,
> {
  readonly requestId: string
  /** The route that serves the request, for middleware. */
  readonly route: Route
  readonly method: Method
  /** True for a HEAD request: a GET whose answer goes out without its body. */
  readonly isHead: boolean
  /** Without the query. */
  readonly path: string
  /** As sent, without `?`; equal values for one route mean an equal `query`. */
  readonly rawQuery: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly principal: Principal
  /** The client's address; `X-Forwarded-For` is honoured if set by a trusted proxy (server.trustProxy). */
  readonly ip: string
  /** By name in any case. All lines of the field as one list, in their order, separated by `, ` (`; ` for cookies). */
  header(name: string): string | undefined
  /** The unread body of a route with `bodyMode: 'stream'`. */
  readonly stream: Readable
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

/** An answer to an error, in the form that a protocol wants. */
export interface ErrorReply {
  /** JSON. */
  readonly text: string
  /** In addition to those of the error, or in place of them. */
  readonly headers?: ReplyHeaders
}

/** A route: its address, who may call it, the schemas of what it takes and answers, and its handler. */
export interface RouteDefinition<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> {
  /** `<area>:<resource>.<verb>`, unique; matched by admin middleware: `admin:backups.create`. */
  readonly name: string
  readonly method: Method
  /** Below the API prefix: `/content/:type/:id`; of a third-party plugin below `/x/<plugin>`. */
  readonly path: string
  /**
   * `root` takes `path` as it is, without the API prefix, for what has a fixed address: `/robots.txt`. Not even
   * then may a third-party plugin take paths below the API prefix, below `/admin`, or of a core route. A slash at the
   * end is part of such a path.
   */
  readonly mountedAt?: 'api' | 'root'
  /**
   * Further paths, from the root on, such as addresses that were given out once: asked when the service begins to listen.
   * They are not in the API document, and a path that another route has by itself stays that route's. Routes of
   * third-party plugins have none.
   */
  readonly alsoAt?: () => readonly string[]
  readonly summary: string
  readonly description?: string
  /** Groups routes in the API document; default: the part of `name` before the colon, capitalised. */
  readonly tag?: string
  readonly access: Access
  /**
   * The scope that an API token needs, or several of which it needs one; `anyScope` for any at all. Without it, tokens
   * may only use `open` routes.
   */
  readonly scope?: string | readonly string[]
  /**
   * `cookie`: also accepts the panel's session cookie, for pages that a browser opens by itself. GET only: a
   * foreign page must not be able to trigger writes.
   */
  readonly session?: 'cookie'
  /** Names of policies, all of which must pass. */
  readonly policies?: readonly string[]
  readonly params?: Params
  /** Without it, `request.query` is empty; a handler may parse `rawQuery` itself. */
  readonly query?: Query
  /** Without it the route takes no body. */
  readonly body?: Body
  /** The `body` may be omitted. */
  readonly isBodyOptional?: boolean
  /**
   * Reports further problems of a body that the schema has refused, so that one answer lists them all: `body`
   * holds the members that the schema accepts. It may also throw an error that takes precedence, such as 403.
   */
  furtherProblems?(
    request: RouteRequest<Static<Params>, Static<Query>, Partial<Static<Body>>>,
  ): readonly ErrorDetail[] | Promise<readonly ErrorDetail[]>
  /** Default `json`; `stream` passes the body on unread. */
  readonly bodyMode?: 'json' | 'stream'
  /**
   * Instead of `body`, for a streamed body that is no form: the media types that the handler takes, and what each holds. For
   * the API document and agents; the handler itself refuses others. A streamed `body` is a form (`multipart/form-data`).
   */
  readonly bodyTypes?: Readonly<Record<string, TSchema>>
  /**
   * Largest body in bytes, whoever sends it; default `server.maxBodySize`, and `server.maxAnonymousBodySize` for JSON from callers
   * without credentials.
   */
  readonly maxBodyBytes?: number
  /** The schema of `data` in the envelope; checked in tests, so that the API document cannot drift. */
  readonly response?: TSchema
  /** For the API document; default 200. */
  readonly successStatus?: number
  /** True if the handler honours `If-Match`; the API document then shows the header. */
  readonly takesIfMatch?: boolean
  /** True if the handler honours `X-Autosave`; the API document then shows the header. */
  readonly takesAutosave?: boolean
  /** True if the answer includes `pagination`. */
  readonly isPaginated?: boolean
  /** The media type of an answer without the envelope: files, documents, metrics. */
  readonly rawResponse?: string
  /** Not counted by the rate limit and not logged: health probes. */
  readonly isProbe?: boolean
  /**
   * Not counted by the rate limit: what the panel needs before anybody can work with it, such as its files.
   * Only for answers that cost next to nothing.
   */
  readonly isUnlimited?: boolean
  /**
   * How its requests count under overload, when the service refuses some (see the overload plugin). `always`: never
   * refused; for what people need to sign in, and operators to see what is going on. `read`: reads, although the
   * method is POST. `dear`: reads that may cost much, refused before others. Default: by the method. Probes and
   * unlimited routes are never refused.
   */
  readonly load?: LoadClass
  /** Also served if SVC_ROLE is `worker`, like probes: routes that operators call on every process. */
  readonly isServedByEveryRole?: boolean
  /**
   * What the audit log calls a successful request, as `<area>.<verb>`; derived from `name` by default (see
   * the audit plugin). False: not recorded, because it changes nothing or the handler records it itself.
   */
  readonly audit?: string | false
  /** The third-party plugin that owns the route, blamed if it is unusable. */
  readonly owner?: string
  /**
   * Answers may be kept and sent to others with the same role or scopes who ask the same: all that they depend on is told
   * to `observeReads` of the content plugin, for the request. Returns what they vary by besides path and query; undefined if
   * this one is not kept. A route with a body that changes something must say so to the observer.
   */
  keptBy?(request: RouteRequest): string | undefined
  /**
   * The tool that agents get for this route. Without it, they find the route only by looking for it. False: they cannot
   * use it, because its answer holds what must not get into their context (credentials), or is nothing that they can read.
   */
  readonly tool?: RouteTool | false
  /**
   * Replaces this route in the API document, e.g. with one operation per content type. Called after boot. `undocumented`
   * leaves it out.
   */
  readonly document?: () => readonly RouteVariant[]
  /**
   * How an error is answered by a route whose protocol has errors of its own; the status stays. `body` is what could be read
   * of it: undefined where that came too late, and without the members that the schema refuses.
   */
  tellError?(error: ToldError, request: Pick<RouteRequest, 'body'>): ErrorReply
  /** Returns `data`, or a Reply if the answer is more than 200 with data. */
  handler(request: RouteRequest<Static<Params>, Static<Query>, Static<Body>>): unknown
}

/** One variant of a route in the API document. */
export interface RouteVariant {
  /** Values for the parameters of the route's path: `{ type: 'article' }`. */
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

/** A route, whatever types its handler gets. */
export type Route = RouteDefinition

/** Types the handler by the schemas. */
export function defineRoute<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(route: RouteDefinition<Params, Query, Body>): Route {
  return route as unknown as Route
}

/** What the service answers. Contribute in `register` or `init`. */
export const routes: ExtensionPoint<Route> = extensionPoint('routes')

/**
 * Routes for requests that ask for a WebSocket, by `GET`; their handlers answer with `webSocket`. The same path may have
 * another route, which serves all other requests. They are not part of the API document, which cannot describe them.
 */
export const socketRoutes: ExtensionPoint<Route> = extensionPoint('socketRoutes')
