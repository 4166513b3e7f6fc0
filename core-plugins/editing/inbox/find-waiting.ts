import type { Auth } from '../../accounts/auth/auth.ts'
import type { Content } from '../../entries/content/content.ts'
import { findTitles } from '../../entries/content-types/content-types.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { FilledSection, InboxItem, InboxSource, WaitingEntry } from './inbox.ts'

export interface InboxParts {
  readonly auth: Auth
  readonly content: Content
  readonly schemas: Schemas
  readonly sources: () => readonly InboxSource[]
}

/** The maximum number of entries to look at per section. */
export const lookedAt = 200

/** The items that wait for a caller, limited to entries that the caller may see; one query per source and type. */
export async function findWaiting(
  { auth, content, schemas, sources }: InboxParts,
  principal: AdminPrincipal,
): Promise<readonly FilledSection[]> {
  const seen = new Map([...schemas.types].filter(([name]) => auth.seesDrafts(principal, name)))
  const sections = await Promise.all(
    sources().map(async ({ section, find }) => {
      const found = await find(principal, lookedAt, [...seen.keys()])
      return { section, hasMore: found.length === lookedAt, items: typed(found, seen) }
    }),
  )
  const titles = await findTitles(
    content,
    sections.flatMap(({ items }) => items),
    principal,
  )
  return sections.map(({ items, ...section }) => ({
    ...section,
    items: items.flatMap(({ type, ...item }): InboxItem[] => {
      const title = titles.get(type)?.get(item.id)
      return title === undefined ? [] : [{ ...item, type: type.name, title }]
    }),
  }))
}

type TypedEntry = Omit<WaitingEntry, 'type'> & { readonly type: ContentType }

function typed(
  entries: readonly WaitingEntry[],
  types: ReadonlyMap<string, ContentType>,
): readonly TypedEntry[] {
  return entries.flatMap((entry) => {
    const type = types.get(entry.type)
    return type === undefined ? [] : [{ ...entry, type }]
  })
}
