import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import {
  AppError,
  clientOf,
  defineRoute,
  eventStream,
  type Policy,
  type Principal,
  type Route,
  strict,
} from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Live } from './live-service.ts'
import { StreamClient } from './stream-client.ts'
import { TypesTopic } from './types-topic.ts'
import { mayRead, media } from './visible-changes.ts'

export interface LiveRouteParts {
  readonly auth: Auth
  readonly schemas: Schemas
  readonly live: Live
  /** Encodes a position as a cursor for clients. */
  readonly cursorOf: (position: number) => string
}

const policyName = 'live.follow'
const maxTypes = 100

/** The names of all types that can be followed. */
const followed = ({ types }: Schemas) => [...types.keys(), media].sort()

/** Admits callers who may read at least one type that can be followed. */
export function followPolicy({ auth, schemas }: Pick<LiveRouteParts, 'auth' | 'schemas'>): Policy {
  const names = followed(schemas)
  return {
    name: policyName,
    checksTypes: true,
    check: ({ principal }) => names.some((name) => mayRead(auth, principal, name)),
  }
}

/** See docs/live.md. */
export function liveRoute(parts: LiveRouteParts): Route {
  return defineRoute({
    name: 'live:changes.stream',
    method: 'GET',
    path: '/live',
    tag: 'Live updates',
    summary: 'What changes, as server-sent events',
    description:
      'Stays open. `ready` tells where the stream begins, `change` which types have changed, to signed-in callers also ' +
      'which entries that they may see; `restart` that anything may have, `goaway` that the client is to come back. ' +
      'Events carry no values. Their `id`, sent as `Last-Event-ID`, is where a later stream goes on.',
    access: 'permission',
    scope: ['content:read', 'media:read'],
    policies: [policyName],
    query: Type.Object(
      {
        types: Type.Optional(
          Type.String({
            maxLength: 6_500,
            description: 'Singular names of content types, and `media`, separated by commas; default: all',
          }),
        ),
        since: Type.Optional(
          Type.String({ maxLength: 64, description: 'Like `Last-Event-ID`, which comes first' }),
        ),
      },
      strict,
    ),
    rawResponse: 'text/event-stream',
    handler(request) {
      const { live, cursorOf } = parts
      const { principal, query } = request
      const address = clientOf(request.ip)
      const types = typesOf(query.types, principal, parts)
      live.assertRoom(address)
      const credential = principal.kind === 'anonymous' ? undefined : request.header('authorization')
      const isPersonal = [...types].some((type) => live.isRestricted(type))
      const topic = new TypesTopic(types, isPersonal, cursorOf)
      const cursor = request.header('last-event-id') ?? query.since
      const options = { address, credential, topic }
      return eventStream(new StreamClient(options, { live, cursorOf }, { principal, cursor }))
    },
  })
}

/** @throws AppError 400 for unknown types, 401 or 403 for those that the caller may not read */
function typesOf(
  given: string | undefined,
  principal: Principal,
  { auth, schemas }: Pick<LiveRouteParts, 'auth' | 'schemas'>,
): ReadonlySet<string> {
  const all = followed(schemas)
  if (given === undefined) return new Set(all)
  const names = [...new Set(given.split(',').map((name) => name.trim()))].sort()
  if (names.some((name) => !mayRead(auth, principal, name))) auth.refuse(principal)
  const known = new Set(all)
  const details = names
    .filter((name) => !known.has(name))
    .map((name) => ({ path: 'types', code: 'unknown', message: `there is no type ${name}` }))
  if (names.length > maxTypes) {
    details.push({ path: 'types', code: 'too_many', message: `names more than ${maxTypes} types` })
  }
  if (details.length > 0) throw AppError.invalid(details)
  return new Set(names)
}
