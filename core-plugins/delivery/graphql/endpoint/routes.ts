import { Type } from 'typebox'
import { type Awaitable, andThen, orElse } from '../../../../kernel/index.ts'
import { type Auth, contentActions, type MediaAction } from '../../../accounts/auth/auth.ts'
import { observerOf } from '../../../entries/content/content.ts'
import type { Config } from '../../../foundation/config/config.ts'
import {
  defineRoute,
  type Policy,
  parseQueryString,
  Reply,
  type Route,
  type RouteRequest,
} from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import { RefusedRequest, refusal } from '../errors.ts'
import type { Executor } from '../execution/executor.ts'
import type { LazyExecutor } from '../execution/lazy-executor.ts'
import type { MeantDocument } from '../execution/persisted-queries.ts'
import type { GraphqlAnswer } from '../graphql.ts'
import type { Playground } from '../playground/playground.ts'
import { cacheMaxAge } from '../settings.ts'
import { streamSubscription } from '../subscriptions/routes.ts'
import { persistedQueryNotFound, type SubscriptionParts } from '../subscriptions/subscriptions.ts'
import { type Asked, argumentsIn, askedIn, queryIn } from './asked.ts'

const mediaActions: readonly MediaAction[] = ['read', 'write', 'delete']

/** Admits callers with any permission for content or files; each field of an operation is checked separately. */
export function usePolicy(auth: Auth, { types }: Schemas): Policy {
  const names = [...types.keys()]
  return {
    name: 'graphql.use',
    checksTypes: true,
    check: ({ principal }) =>
      names.some((name) => contentActions.some((action) => auth.mayContent(principal, name, action))) ||
      mediaActions.some((action) => auth.mayMedia(principal, action)),
  }
}

const nullable = (schema: Parameters<typeof Type.Optional>[0]) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const requestBody = Type.Object({
  query: Type.Optional(Type.String({ description: 'The document; may be left out where a hash is sent' })),
  variables: nullable(Type.Object({})),
  operationName: nullable(Type.String()),
  extensions: nullable(Type.Object({}, { description: 'persistedQuery: { version: 1, sha256Hash }' })),
})

export interface EndpointParts {
  readonly playground: Playground
  readonly config: Config
  /** Undefined if subscriptions are not available. */
  readonly subscriptions: SubscriptionParts | undefined
}

/** POST executes operations; GET executes queries or shows the playground. Both stream the events of subscriptions. */
export function endpointRoutes(
  executor: LazyExecutor,
  { playground, config, subscriptions }: EndpointParts,
): Route[] {
  const base = {
    path: '/graphql',
    access: 'permission',
    policies: ['graphql.use'],
    scope: [
      ...['content:read', 'content:write', 'content:delete', 'content:publish'],
      ...['media:read', 'media:write', 'media:delete'],
    ],
    tag: 'GraphQL',
    // Treated as a read, since most operations are queries, and the kind is known only after the body has been read.
    load: 'read',
    rawResponse: 'application/json',
    // Not audited here, since each write of a mutation is recorded.
    audit: false,
    keptBy,
  } as const

  function answer(asked: Asked, request: AnyRequest): Awaitable<Reply> {
    const reply = (answered: GraphqlAnswer) => replyTo(request, answered, config)
    return andThen(executor.load(), (loaded) =>
      andThen(loaded.persisted.resolve(queryIn(asked), asked.extensions), (meant) => {
        if (meant === undefined) return reply(notFound)
        if (subscriptions !== undefined && takesEvents(request) && loaded.isSubscription(meant.source)) {
          return orElse(
            () => streamSubscription(request, asked, subscriptions),
            (error) => reply(refusedAs(error)),
          )
        }
        return andThen(execute(loaded, meant, asked, request), reply)
      }),
    )
  }

  return [
    defineRoute({
      ...base,
      name: 'graphql:operations.execute',
      method: 'POST',
      summary: 'Execute a GraphQL operation',
      description: 'Each field needs the permission, or the scope, that the REST API asks for.',
      body: requestBody,
      handler: (request) => answer(request.body, request),
    }),
    defineRoute({
      ...base,
      name: 'graphql:playground.read',
      session: 'cookie',
      method: 'GET',
      summary: 'Execute a GraphQL query, or show the playground',
      description:
        'Without `query` and `extensions` the playground, for browsers; sign in at `/graphql/sign-in` first.',
      handler(request) {
        const asked = parseQueryString(request.rawQuery)
        if (asked.query !== undefined || asked.extensions !== undefined)
          return answer(askedIn(asked), request)
        observerOf(request)?.isOpaque('it is a page')
        return playground.page()
      },
    }),
  ]
}

/** In bytes. A longer body is not worth serialising again for a cache key. */
const maxKeptBody = 4_096

/** The cache key: the response format that the caller accepts, and the contents of the body. */
function keptBy(request: RouteRequest): string | undefined {
  if (Number(request.header('content-length') ?? 0) > maxKeptBody) return undefined
  const asked = request.body === undefined ? '' : JSON.stringify(request.body)
  return `${acceptsOwnType(request)} ${asked}`
}

/** Whether the client accepts events; some clients send that header with every request. */
function takesEvents(request: AnyRequest): boolean {
  return (request.header('accept') ?? '').includes('text/event-stream')
}

/** @throws error if it is not a refusal */
function refusedAs(error: unknown): GraphqlAnswer {
  if (error instanceof RefusedRequest) return refusal(error)
  throw error
}

type AnyRequest = RouteRequest<unknown, unknown, unknown>

function execute(
  executor: Executor,
  { source, keep }: MeantDocument,
  asked: Asked,
  request: AnyRequest,
): Awaitable<GraphqlAnswer> {
  const { principal, ip, method } = request
  const executed = executor.execute({
    ...argumentsIn(asked),
    source,
    principal,
    ip,
    isReadOnly: method === 'GET',
    recipient: request,
  })
  return andThen(executed, (answered) => {
    if (answered.body.data !== undefined) keep()
    if (answered.body.errors !== undefined) observerOf(request)?.isOpaque('it has errors')
    return answered
  })
}

/** The response to an unknown persisted query: 200, as clients expect. */
const notFound: GraphqlAnswer = {
  status: 200,
  headers: {},
  body: { errors: [persistedQueryNotFound] },
}

const graphqlType = 'application/graphql-response+json'

function replyTo(
  request: AnyRequest,
  { status, reason, headers, body }: GraphqlAnswer,
  config: Config,
): Reply {
  const mediaType = `${acceptsOwnType(request) ? graphqlType : 'application/json'}; charset=utf-8`
  const isWhole = body.errors === undefined
  return new Reply(
    status,
    { kind: 'raw', body: JSON.stringify(body), mediaType },
    { ...headers, ...(request.method === 'GET' ? cacheHeaders(request, isWhole, config) : {}) },
    reason,
  )
}

function acceptsOwnType(request: Pick<RouteRequest, 'header'>): boolean {
  return (request.header('accept') ?? '').includes(graphqlType)
}

/** A CDN may cache public responses, and revalidate them with the ETag. */
function cacheHeaders({ principal }: Pick<RouteRequest, 'principal'>, isWhole: boolean, config: Config) {
  const vary = { vary: 'accept' }
  if (!isWhole) return { ...vary, 'cache-control': 'no-store' }
  if (principal.kind !== 'anonymous') return { ...vary, 'cache-control': 'private, no-cache' }
  const seconds = config.get(cacheMaxAge)
  return { ...vary, 'cache-control': seconds === 0 ? 'no-cache' : `public, max-age=${seconds}` }
}
