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

/** All values of `Access`, to check what plugins declare. */
export const accesses: readonly Access[] = ['open', 'user', 'admin-user', 'area', 'super-admin', 'permission']

/** The methods that routes can have; HEAD is answered by GET. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * As the `scope` of a route with access `permission`: every API token may use it, with any scopes. For routes that
 * check each of their operations themselves.
 */
export const anyScope = '*'

/** How the mcp plugin shows a route to agents: as a tool whose input follows from the schemas of the route. */
export interface RouteTool {
  /** `find_entries`; unique among the routes. */
  readonly name: string
  /** For a reader that knows nothing else about the service: when to use it, and what it returns. */
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
  /** True for a HEAD request: a GET whose answer is sent without its body. */
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

/** The answer to an error in the format of a particular protocol. */
export interface ErrorReply {
  /** JSON. */
  readonly text: string
  /** Added to the headers of the error, replacing those with the same name. */
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
  /** Below the API prefix: `/content/:type/:id`; for a third-party plugin below `/x/<plugin>`. */
  readonly path: string
  /**
   * `root` takes `path` without the API prefix, for fixed addresses such as `/robots.txt`. Even so, a third-party
   * plugin cannot take paths below the API prefix, below `/admin`, or of a core route. A trailing slash is part of
   * such a path.
   */
  readonly mountedAt?: 'api' | 'root'
  /**
   * Further paths from the root, such as addresses published in the past; called when the service begins to listen.
   * They are not in the API document, and a path that another route declares stays that route's. Not for routes of
   * third-party plugins.
   */
  readonly alsoAt?: () => readonly string[]
  readonly summary: string
  readonly description?: string
  /** Groups routes in the API document; default: the part of `name` before the colon, capitalised. */
  readonly tag?: string
  readonly access: Access
  /**
   * The scope that an API token needs, or several of which one is enough; `anyScope` for any. Without it, tokens may
   * only use `open` routes.
   */
  readonly scope?: string | readonly string[]
  /**
   * `cookie`: also accepts the panel's session cookie, for pages that a browser opens directly. GET only, so that a
   * foreign page cannot trigger writes.
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
   * Reports further problems of a body that the schema has refused, so that one answer lists them all: `body` holds
   * only the members that are valid. It may also throw an error that takes precedence, such as 403.
   */
  furtherProblems?(
    request: RouteRequest<Static<Params>, Static<Query>, Partial<Static<Body>>>,
  ): readonly ErrorDetail[] | Promise<readonly ErrorDetail[]>
  /** Default `json`; `stream` passes the body on unread. */
  readonly bodyMode?: 'json' | 'stream'
  /**
   * Instead of `body`, for a streamed body that is not a form: the accepted media types and the schema of each. For
   * the API document and agents; the handler itself refuses others. A streamed `body` is a form
   * (`multipart/form-data`).
   */
  readonly bodyTypes?: Readonly<Record<string, TSchema>>
  /**
   * Largest body in bytes, for all callers; default `server.maxBodySize`, and `server.maxAnonymousBodySize` for JSON
   * from callers without credentials.
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
   * Not counted by the rate limit: files and the like that the panel needs before it can be used. Only for answers
   * that cost next to nothing.
   */
  readonly isUnlimited?: boolean
  /**
   * How its requests are treated under overload, when the service refuses some (see the overload plugin). `always`:
   * never refused, for what users need to sign in and operators to see what is going on. `read`: counts as a read
   * although the method is POST. `dear`: an expensive read, refused before others. Default: by the method. Probes and
   * unlimited routes are never refused.
   */
  readonly load?: LoadClass
  /** Also served if SVC_ROLE is `worker`, like probes: routes that operators call on every process. */
  readonly isServedByEveryRole?: boolean
  /**
   * The audit log's name for a successful request, as `<area>.<verb>`; derived from `name` by default (see the audit
   * plugin). False: not recorded, because the request changes nothing or the handler records it itself.
   */
  readonly audit?: string | false
  /** The third-party plugin that owns the route, and is named if the route is unusable. */
  readonly owner?: string
  /**
   * Allows answers to be kept and sent to other callers with the same role or scopes who ask the same: everything the
   * answer depends on is reported to `observeReads` of the content plugin for this request. Returns what the answer
   * varies by besides path and query; undefined if this answer is not kept. A route with a body must tell the
   * observer if it changes something.
   */
  keptBy?(request: RouteRequest): string | undefined
  /**
   * The tool that agents get for this route. Without it, they find the route only by searching. False: agents cannot
   * use it, because the answer contains what must not get into their context (credentials), or cannot be read by
   * them.
   */
  readonly tool?: RouteTool | false
  /**
   * Replaces this route in the API document, e.g. with one operation per content type. Called after boot. `undocumented`
   * leaves it out.
   */
  readonly document?: () => readonly RouteVariant[]
  /**
   * Formats an error for a protocol that has its own form of errors; the status stays. `body` holds the members that
   * the schema accepts; undefined if the error occurred before the body was read.
   */
  tellError?(error: ToldError, request: Pick<RouteRequest, 'body'>): ErrorReply
  /** Returns `data`, or a Reply for anything other than 200 with data. */
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

/** A route with any handler types. */
export type Route = RouteDefinition

/** Types the handler's request by the schemas. */
export function defineRoute<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
>(route: RouteDefinition<Params, Query, Body>): Route {
  return route as unknown as Route
}

/** The routes of the API. Contribute in `register` or `init`. */
export const routes: ExtensionPoint<Route> = extensionPoint('routes')

/**
 * Routes for requests that ask for a WebSocket, by `GET`; their handlers answer with `webSocket`. The same path may
 * have another route, which serves all other requests. They are not in the API document, which cannot describe them.
 */
export const socketRoutes: ExtensionPoint<Route> = extensionPoint('socketRoutes')
