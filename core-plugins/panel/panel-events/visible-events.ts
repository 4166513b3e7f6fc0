import type { Auth } from '../../accounts/auth/auth.ts'
import type { Content } from '../../entries/content/content.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { LiveEvent } from './panel-events.ts'

export interface VisibilityParts {
  readonly auth: Auth
  readonly content: Content
  readonly schemas: Schemas
  /** Whether plugins restrict reads of a type, so that users with the same role may see different entries. */
  readonly isRestricted: (type: ContentType) => boolean
}

/** Filters events by what a receiver may read now. */
export interface VisibleEvents {
  for(receiver: Receiver): Promise<readonly LiveEvent[]>
}

/** A receiver of events, and the entry that it has open. */
export interface Receiver {
  readonly principal: AdminPrincipal
  readonly place: { readonly type: string; readonly entryId: number } | undefined
}

/** The required scopes for events about other things than content, by kind. */
const scopes = { release: 'admin:releases:read', alert: 'admin:alerts:read' } as const

/** Checks permissions once for all receivers who see the same. */
export function createVisibleEvents(parts: VisibilityParts, events: readonly LiveEvent[]): VisibleEvents {
  const { auth, content, schemas, isRestricted } = parts
  const known = new Map<string, Promise<ReadonlySet<number>>>()

  async function find(type: ContentType, principal: AdminPrincipal): Promise<ReadonlySet<number>> {
    const ids = new Set(events.flatMap((event) => (event.type === type.name ? (event.entryId ?? []) : [])))
    if (ids.size === 0) return ids
    const entries = await content.findMany(type.name, [...ids], { principal, fields: ['id'] })
    return new Set(entries.map(({ id }) => id))
  }

  function entriesSeen(type: ContentType, principal: AdminPrincipal): Promise<ReadonlySet<number>> {
    const who = isRestricted(type) ? `user ${principal.id}` : `role ${principal.role}`
    const key = `${type.name} ${who}`
    const found = known.get(key) ?? find(type, principal)
    known.set(key, found)
    return found
  }

  /** A deleted entry cannot be looked up: only receivers that had it open get its id. */
  async function ofEntry(event: LiveEvent, { principal, place }: Receiver): Promise<LiveEvent | undefined> {
    const { kind, entryId, operation } = event
    const type = schemas.types.get(event.type ?? '')
    if (type === undefined || !auth.seesDrafts(principal, type.name)) return undefined
    if (entryId !== undefined && (await entriesSeen(type, principal)).has(entryId)) return event
    if (entryId !== undefined && operation !== 'delete') return undefined
    if (place !== undefined && place.type === type.name && place.entryId === entryId) return event
    return isRestricted(type) ? undefined : { kind, type: type.name }
  }

  /** An event about an entry that the receiver may not see does not concern its inbox either. */
  async function ofInbox(event: LiveEvent, receiver: Receiver): Promise<LiveEvent | undefined> {
    const { type: _type, entryId, ...news } = event
    if (entryId !== undefined && (await ofEntry(event, receiver)) === undefined) return undefined
    return news
  }

  function visibleEvent(event: LiveEvent, receiver: Receiver) {
    const { principal } = receiver
    if (event.audience !== undefined && event.audience !== principal.id) return undefined
    if (event.kind === 'inbox') return ofInbox(event, receiver)
    if (event.kind === 'entry' || event.kind === 'discussion') return ofEntry(event, receiver)
    if (event.kind === 'presence') return undefined
    return auth.mayAdminister(principal, scopes[event.kind]) ? event : undefined
  }

  return {
    async for(receiver) {
      const visible = await Promise.all(events.map((event) => visibleEvent(event, receiver)))
      return visible.filter((event) => event !== undefined)
    },
  }
}
