import { type Awaitable, andThen, isPromise } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Content } from '../../entries/content/content.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { RecentChange } from './recent-changes.ts'

export interface VisibilityParts {
  readonly auth: Auth
  readonly content: Content
  readonly schemas: Schemas
  /** Whether plugins restrict reads of a type, so that callers of one role may see different entries. */
  readonly isRestricted: (type: ContentType) => boolean
}

/** The system type that can be followed, since entries show its files. */
export const media = 'media'

/** The messages for a client. */
export interface News {
  readonly types: readonly string[]
  /** Entries that the client may see; missing for anonymous clients, and if there are too many. */
  readonly refs?: readonly EntryRef[]
}

export interface EntryRef {
  readonly type: string
  readonly id: number
}

/** Identifies callers who see the same changes: all anonymous callers, those of one role, or only one account or token. */
export function audienceOf(principal: Principal, isPersonal: boolean): string {
  if (principal.kind === 'anonymous') return principal.kind
  if (principal.kind === 'token')
    return `token ${principal.id} by ${principal.maker?.kind} ${principal.maker?.id}`
  if (isPersonal) return `${principal.kind} ${principal.id}`
  return `${principal.kind} of role ${principal.role}`
}

export function mayRead(auth: Auth, principal: Principal, type: string): boolean {
  return type === media ? auth.mayMedia(principal, 'read') : auth.mayContent(principal, type, 'read')
}

/** The maximum number of entries that a message names. */
const maxRefs = 100

interface NewsOfType {
  readonly isTold: boolean
  readonly ids: readonly number[]
}

const nothing: NewsOfType = { isTold: false, ids: [] }

/** Finds the changes that callers may see at present, with one query for all callers with the same permissions. */
export class VisibleChanges {
  readonly #parts: VisibilityParts
  readonly #byType = new Map<string, RecentChange[]>()
  readonly #known = new Map<string, Awaitable<NewsOfType>>()
  /** Whether any type may have changed. */
  readonly concernAll: boolean

  constructor(parts: VisibilityParts, changes: readonly RecentChange[]) {
    this.#parts = parts
    this.concernAll = changes.some(({ type }) => type === undefined)
    for (const change of changes) {
      const { type = '' } = change
      const others = this.#byType.get(type)
      if (others === undefined) this.#byType.set(type, [change])
      else others.push(change)
    }
  }

  get types(): Iterable<string> {
    return this.#byType.keys()
  }

  /** All changes of a type in order, including hidden ones. */
  of(type: string): readonly RecentChange[] {
    return this.#byType.get(type) ?? []
  }

  /** Undefined if no change is visible to the caller. */
  for(principal: Principal, types: ReadonlySet<string>): Awaitable<News | undefined> {
    const names = this.concernAll ? [...types] : [...this.#byType.keys()].filter((name) => types.has(name))
    const found = names.map((name) => this.#ofType(name, principal))
    const all = found.some(isPromise) ? Promise.all(found) : (found as NewsOfType[])
    return andThen(all, (news) => newsOf(names, news, principal))
  }

  #ofType(name: string, principal: Principal): Awaitable<NewsOfType> {
    const type = this.#parts.schemas.types.get(name)
    const isRestricted = type !== undefined && this.#parts.isRestricted(type)
    const key = `${name} ${audienceOf(principal, isRestricted)}`
    const found = this.#known.get(key) ?? this.#find(name, principal, isRestricted)
    this.#known.set(key, found)
    return found
  }

  #find(name: string, principal: Principal, isRestricted: boolean): Awaitable<NewsOfType> {
    const { auth, content } = this.#parts
    if (!mayRead(auth, principal, name)) return nothing
    if (this.concernAll && !isRestricted) return { isTold: true, ids: [] }
    const isTold = auth.seesDrafts(principal, name) ? () => true : isPublicChange
    const told = (this.#byType.get(name) ?? []).filter(isTold)
    if (told.length === 0) return nothing
    if (principal.kind === 'anonymous' && !isRestricted) return { isTold: true, ids: [] }
    const ids = [...new Set(told.flatMap(({ entryId }) => entryId ?? []))]
    if (name === media) return { isTold: true, ids }
    // Deleted entries are not found. If all callers see the same entries of the type, they are still notified that it has
    // changed.
    return andThen(content.findMany(name, ids, { principal, fields: ['id'] }), (entries) => ({
      isTold: !isRestricted || entries.length > 0,
      ids: entries.map(({ id }) => id),
    }))
  }
}

/** Whether a caller who does not see drafts can notice the change. */
function isPublicChange({ kind, wasPublic, isPublic }: RecentChange): boolean {
  return kind !== 'draft' && (wasPublic || isPublic)
}

function newsOf(
  names: readonly string[],
  found: readonly NewsOfType[],
  principal: Principal,
): News | undefined {
  const types = names.filter((_, index) => found[index]?.isTold === true).sort()
  if (types.length === 0) return undefined
  if (principal.kind === 'anonymous') return { types }
  const refs = names.flatMap((type, index) => (found[index]?.ids ?? []).map((id) => ({ type, id })))
  return refs.length > maxRefs ? { types } : { types, refs }
}
