import type { Auth } from '../auth/auth.ts'
import type { Content } from '../content/content.ts'
import type { AdminPrincipal } from '../http/http.ts'
import type { ContentType, Schemas } from '../schemas/schemas.ts'
import type { LiveEventRow } from './tables.ts'

export interface VisibilityParts {
  readonly auth: Auth
  readonly content: Content
  readonly schemas: Schemas
  /** Whether plugins take part in reads of a type, so that not everybody of a role may see the same. */
  readonly isRestricted: (type: ContentType) => boolean
}

/** Finds which of some events a receiver may get, by what the receiver may read now. */
export interface VisibleEvents {
  for(receiver: Receiver): Promise<readonly LiveEventRow[]>
}

/** Who receives events, and the entry that they have open. */
export interface Receiver {
  readonly principal: AdminPrincipal
  readonly place: { readonly type: string; readonly entryId: number } | undefined
}

/** Scopes of what is no content, by the kind of the event. */
const scopes = { release: 'admin:releases:read', alert: 'admin:alerts:read' } as const

/** Asks once for all receivers who see the same. */
export function createVisibleEvents(parts: VisibilityParts, rows: readonly LiveEventRow[]): VisibleEvents {
  const { auth, content, schemas, isRestricted } = parts
  const known = new Map<string, Promise<ReadonlySet<number>>>()

  async function find(type: ContentType, principal: AdminPrincipal): Promise<ReadonlySet<number>> {
    const ids = new Set(rows.flatMap((row) => (row.type === type.name ? (row.entryId ?? []) : [])))
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

  /** What is gone cannot be looked up: only who was in it gets which one it was. */
  async function ofEntry(
    row: LiveEventRow,
    { principal, place }: Receiver,
  ): Promise<LiveEventRow | undefined> {
    const type = schemas.types.get(row.type ?? '')
    if (type === undefined || !auth.seesDrafts(principal, type.name)) return undefined
    if (row.entryId !== null && (await entriesSeen(type, principal)).has(row.entryId)) return row
    if (row.entryId !== null && row.operation !== 'delete') return undefined
    if (place !== undefined && place.type === row.type && place.entryId === row.entryId) return row
    return isRestricted(type) ? undefined : onlyType(row)
  }

  /** What is about an entry that the receiver may not see is not in the inbox either. */
  async function ofInbox(row: LiveEventRow, receiver: Receiver): Promise<LiveEventRow | undefined> {
    if (row.entryId !== null && (await ofEntry(row, receiver)) === undefined) return undefined
    return { ...row, type: null, entryId: null }
  }

  function visibleRow(row: LiveEventRow, receiver: Receiver) {
    const { principal } = receiver
    if (row.audience !== null && row.audience !== principal.id) return undefined
    if (row.kind === 'inbox') return ofInbox(row, receiver)
    if (row.kind === 'entry' || row.kind === 'discussion') return ofEntry(row, receiver)
    if (row.kind === 'presence') return undefined
    return auth.mayAdminister(principal, scopes[row.kind]) ? row : undefined
  }

  return {
    async for(receiver) {
      const visible = await Promise.all(rows.map((row) => visibleRow(row, receiver)))
      return visible.filter((row) => row !== undefined)
    },
  }
}

function onlyType(row: LiveEventRow): LiveEventRow {
  const nobody = { actorKind: null, actorId: null, actorName: null }
  return { ...row, ...nobody, entryId: null, operation: null, locale: null, version: null }
}
