import { Type } from 'typebox'
import type { ChangeLog } from '../../entries/changes/changes.ts'
import {
  AppError,
  asAppError,
  defineRoute,
  type Http,
  type Policy,
  type Principal,
  Reply,
  type Route,
  type RouteRequest,
  strict,
} from '../../foundation/http/http.ts'
import { changesAddress } from './addresses.ts'
import type { Feed, FeedPage } from './feed.ts'
import { type Follow, type Following, maxTypes } from './following.ts'
import { readSnapshotCursor, type Snapshots, snapshotCursor } from './snapshot.ts'
import type { ChangeWaiter, FeedQuery } from './wait-for-changes.ts'

export interface FeedRouteParts {
  readonly feed: Feed
  readonly follow: Follow
  readonly http: Pick<Http, 'apiPrefix'>
  readonly log: Pick<ChangeLog, 'head' | 'cursorOf' | 'positionIn'>
  readonly snapshots: Snapshots
  readonly waiter: ChangeWaiter
}

const policyName = 'changes.follow'

/** Admits callers who may read at least one type; the feed decides which changes they see. */
export function followPolicy(follow: Follow): Policy {
  return { name: policyName, checksTypes: true, check: ({ principal }) => follow.mayAny(principal) }
}

/** See docs/changes.md. */
export function changeFeedRoutes(parts: FeedRouteParts): Route[] {
  return [feedRoute(parts), snapshotRoute(parts)]
}

const defaultLimit = 500
const maxWaitSeconds = 30

const followQuery = {
  types: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: maxTypes * 65,
      description: `Singular names separated by commas, at most ${maxTypes}; default: all that the caller may read`,
    }),
  ),
  locale: Type.Optional(
    Type.String({ minLength: 1, maxLength: 35, description: 'Of types with localisation, only this locale' }),
  ),
  include: Type.Optional(
    Type.Literal('entry', { description: 'With each entry as the caller would read it now' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: `Default ${defaultLimit}` })),
}

const toldChange = Type.Object(
  {
    cursor: Type.Optional(Type.String()),
    type: Type.String(),
    id: Type.Integer(),
    locale: Type.Union([Type.String(), Type.Null()]),
    kind: Type.Union([Type.Literal('changed'), Type.Literal('gone')]),
    at: Type.Optional(Type.String({ format: 'date-time' })),
    entry: Type.Optional(Type.Object({ id: Type.Integer() }, { additionalProperties: true })),
  },
  strict,
)

const shared = {
  method: 'GET',
  tag: 'Changes',
  access: 'permission',
  scope: ['content:read', 'media:read'],
  policies: [policyName],
  isPaginated: true,
  response: Type.Array(toldChange),
} as const

const feedRoute = (parts: FeedRouteParts) =>
  defineRoute({
    ...shared,
    name: 'changes:feed.read',
    path: '/changes',
    summary: 'What has changed since a cursor',
    description:
      'Without `since` the answer is the cursor of now. `pagination.next` is the path to ask for next. 410: the log does ' +
      'not go back that far; begin anew with a snapshot.',
    query: Type.Object(
      {
        since: Type.Optional(Type.String({ pattern: '^[0-9a-f]{1,16}\\.[\\w-]{22}$' })),
        ...followQuery,
        wait: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: maxWaitSeconds,
            description: 'Seconds to wait for a change if there is none',
          }),
        ),
        poll: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 1e12,
            description: 'As `next` has it; makes addresses differ',
          }),
        ),
      },
      strict,
    ),
    handler: (request) => uncachedIfRefused(answerFeed(request, parts)),
  })

async function answerFeed(request: RouteRequest<unknown, FeedQuery>, parts: FeedRouteParts): Promise<Reply> {
  const { feed, follow, http, log, waiter } = parts
  const { query, principal, isHead } = request
  const following = follow(principal, query)
  const limit = query.limit ?? defaultLimit
  const from = query.since === undefined ? undefined : feed.positionIn(query.since)
  const page = await (from === undefined ? nothingBefore(log) : read(from))
  const since = log.cursorOf(page.position)
  const poll = page.position === from ? nextPoll(query.poll) : undefined
  const next = changesAddress(http.apiPrefix, { ...asAsked(following, query), since, poll })
  const pagination = { limit, hasMore: page.hasMore, nextCursor: since, next }
  return liveReply(page.changes, pagination, cacheControlFor(principal))

  function read(position: number): Promise<FeedPage> {
    const asked = { query, following, position, limit, recipient: request }
    if (!query.wait || isHead) return feed.read(asked)
    return waiter.answer({ ...asked, authorization: request.header('authorization') }, request.ip)
  }
}

/** A request without a cursor starts at the present position. */
async function nothingBefore(log: Pick<ChangeLog, 'head'>): Promise<FeedPage> {
  return { changes: [], position: await log.head(), hasMore: false, dueInMs: undefined }
}

const snapshotRoute = (parts: FeedRouteParts) =>
  defineRoute({
    ...shared,
    name: 'changes:snapshot.read',
    path: '/changes/snapshot',
    summary: 'All entries that the caller sees, and the cursor of the change feed to go on from',
    description:
      'Pages in the order of types and ids. `pagination.since` is the cursor at the beginning of the snapshot: when the ' +
      'last page is read, go on from there. `pagination.next` is the path to ask for next, at the end that of the feed.',
    query: Type.Object(
      {
        ...followQuery,
        cursor: Type.Optional(
          Type.String({
            maxLength: 120,
            description: 'Empty for the first page, then `pagination.nextCursor`',
          }),
        ),
      },
      strict,
    ),
    handler: (request) => uncachedIfRefused(answerSnapshot(request, parts)),
  })

async function answerSnapshot(
  request: RouteRequest<unknown, FeedQuery & { readonly cursor?: string }>,
  { feed, follow, http, log, snapshots }: FeedRouteParts,
): Promise<Reply> {
  const { query, principal } = request
  const following = follow(principal, query)
  const limit = query.limit ?? defaultLimit
  const begun = query.cursor ? readSnapshotCursor(query.cursor) : undefined
  if (begun !== undefined) feed.positionIn(begun.since)
  // Taken before the first entry is read, so that later changes appear in the feed.
  const since = begun?.since ?? log.cursorOf(await log.head())
  const page = await snapshots({ following, from: begun?.from, limit, recipient: request })
  const nextCursor = page.next === undefined ? null : snapshotCursor(since, page.next)
  const parameters = asAsked(following, query)
  const next =
    nextCursor === null
      ? changesAddress(http.apiPrefix, { ...parameters, since })
      : changesAddress(http.apiPrefix, { ...parameters, cursor: nextCursor }, '/snapshot')
  const pagination = { limit, hasMore: nextCursor !== null, nextCursor, since, next }
  return liveReply(page.entries, pagination, 'private, no-store')
}

/** The parameters of a request in canonical form. */
function asAsked({ types, locale }: Following, { types: named, include, limit, wait }: FeedQuery) {
  return { types: named === undefined ? undefined : [...types.keys()].join(), locale, include, limit, wait }
}

/** How long requests use the same number, in milliseconds: the longest wait. */
const pollMs = maxWaitSeconds * 1_000

/**
 * After an empty response the next request needs another address, or a cache would repeat that response for its lifetime. The
 * number comes from the clock, so that all waiting clients use the same address.
 */
function nextPoll(asked = -1): number {
  return Math.max(Math.floor(Date.now() / pollMs), asked + 1)
}

function cacheControlFor({ kind }: Principal): string {
  return kind === 'anonymous' ? 'public, max-age=5' : 'private, no-store'
}

function liveReply(
  data: readonly unknown[],
  pagination: Extract<Reply['body'], { kind: 'data' }>['pagination'] & object,
  cacheControl: string,
): Reply {
  const headers = { 'cache-control': cacheControl }
  return new Reply(200, { kind: 'data', data, pagination, isTagged: false }, headers)
}

/** Some errors, such as 410, are cached by default, so a client that retries would get them for ever. */
async function uncachedIfRefused(answer: Promise<Reply>): Promise<Reply> {
  try {
    return await answer
  } catch (thrown) {
    const error = asAppError(thrown)
    throw AppError.reworded(error, error.message, {
      details: error.details,
      headers: { ...error.headers, 'cache-control': 'no-store' },
      cause: thrown,
    })
  }
}
