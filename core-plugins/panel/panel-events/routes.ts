import { Type } from 'typebox'
import { type Auth, personSchema } from '../../accounts/auth/auth.ts'
import type { Content } from '../../entries/content/content.ts'
import {
  type AdminPrincipal,
  AppError,
  defineRoute,
  eventStream,
  idSchema,
  orNull,
  type Route,
  strict,
  textSchema,
} from '../../foundation/http/http.ts'
import { EventStream, type StreamListener } from './event-stream.ts'
import type { LiveEvents } from './panel-events.ts'
import { beatSeconds, type PresenceStore, peopleIn } from './presence.ts'
import type { Streams } from './streams.ts'

export interface LiveEventRouteParts {
  readonly auth: Auth
  readonly content: Content
  readonly streams: Streams
  readonly presence: PresenceStore
  readonly events: LiveEvents
  readonly listener: StreamListener
}

const streamName = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: 'A UUID, made anew for every connection',
})

const shared = { tag: 'Panel', access: 'admin-user', audit: false } as const

/** See docs/admin-api.md. */
export function liveEventRoutes(parts: LiveEventRouteParts): Route[] {
  return [streamRoute(parts), presenceRoute(parts)]
}

const streamRoute = ({ streams, listener }: LiveEventRouteParts) =>
  defineRoute({
    ...shared,
    name: 'admin:events.stream',
    method: 'GET',
    path: '/admin/events',
    summary: 'What happens, as server-sent events',
    description:
      'Stays open until the session ends. Events name what has changed and carry no values; each receiver gets those ' +
      'that they may read at that time. After `restart`, everything that is shown has to be read anew.',
    query: Type.Object({ stream: streamName }, strict),
    rawResponse: 'text/event-stream',
    handler(request) {
      const principal = request.principal as AdminPrincipal
      const credential = request.header('authorization')
      if (credential === undefined) throw new AppError('UNAUTHENTICATED', 'send an Authorization header')
      streams.assertRoom(principal.id)
      const isAgain = request.header('last-event-id') !== undefined
      return eventStream(
        new EventStream({ name: request.query.stream, credential, principal, isAgain }, listener),
      )
    },
  })

const entrySchema = Type.Object(
  {
    type: Type.String({ maxLength: 64 }),
    id: idSchema,
    field: Type.Optional(orNull(textSchema({ minLength: 1, maxLength: 255 }))),
  },
  strict,
)

/** A person in an entry, and the path of their field. */
export const presentPersonSchema = Type.Object(
  { ...personSchema.properties, field: orNull(Type.String()) },
  strict,
)

const presenceRoute = (parts: LiveEventRouteParts) =>
  defineRoute({
    ...shared,
    name: 'admin:presence.update',
    method: 'POST',
    path: '/admin/presence',
    summary: 'Announce in which entry and field the caller is; answers who else is there',
    description:
      `To be sent again every ${beatSeconds} seconds. \`entry: null\`: in none any more. Those who are in the same ` +
      'entry get it by their streams.',
    body: Type.Object({ stream: streamName, entry: orNull(entrySchema) }, strict),
    maxBodyBytes: 4096,
    response: Type.Object({ people: Type.Array(presentPersonSchema) }, strict),
    async handler({ principal: caller, body }) {
      const principal = caller as AdminPrincipal
      return { people: await place(parts, principal, body) }
    },
  })

interface PresenceInput {
  readonly stream: string
  readonly entry: { readonly type: string; readonly id: number; readonly field?: string | null } | null
}

async function place(
  parts: LiveEventRouteParts,
  principal: AdminPrincipal,
  { stream, entry }: PresenceInput,
) {
  const { presence, events } = parts
  const { id: userId, username } = principal
  if (entry === null || !(await isVisible(parts, principal, entry))) {
    const left = await presence.remove(userId, stream)
    if (left !== undefined) events.publish({ kind: 'presence', type: left.type, entryId: left.entryId })
    return []
  }
  const { type, id: entryId, field = null } = entry
  const before = await presence.put({ userId, username, stream, type, entryId, field })
  const hasMoved = before?.type !== type || before.entryId !== entryId
  if (hasMoved || before.field !== field) events.publish({ kind: 'presence', type, entryId })
  if (before !== undefined && hasMoved) {
    events.publish({ kind: 'presence', type: before.type, entryId: before.entryId })
  }
  return peopleIn(await presence.inEntry(type, entryId), userId)
}

/**
 * Whether the caller may see the entry. A hidden entry is treated like a missing one: nobody is in it.
 * @throws AppError 403 for a type whose drafts the caller may not see
 */
async function isVisible(
  { auth, content }: LiveEventRouteParts,
  principal: AdminPrincipal,
  { type, id }: { readonly type: string; readonly id: number },
): Promise<boolean> {
  if (!auth.seesDrafts(principal, type)) auth.refuse(principal)
  return (await content.findMany(type, [id], { principal, fields: ['id'] })).length > 0
}
