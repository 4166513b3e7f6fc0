import { type Static, Type } from 'typebox'
import type { Release, ReleaseItem, Releases } from '../../editing/releases/releases.ts'
import { type AdminPrincipal, strict, timestampSchema } from '../../foundation/http/http.ts'
import { type FindDue, type ScheduledParts, type TitledDue, titledEntry } from './scheduled.ts'

/** The planned changes in a time range. */
export const calendarSchema = Type.Object(
  {
    entries: Type.Array(
      Type.Object(
        {
          ...titledEntry,
          action: Type.Enum(['publish', 'unpublish']),
          at: timestampSchema,
          conflict: Type.Boolean({ description: 'Something else is planned for it, too' }),
        },
        strict,
      ),
    ),
    releases: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          name: Type.String(),
          status: Type.String(),
          at: timestampSchema,
          entryCount: Type.Integer(),
          // Overdue: its time has passed and it is not published.
          conflict: Type.Boolean({
            description: 'Failed, overdue, or something else is planned for an entry',
          }),
          // Whether the caller may publish all of its entries.
          mayMove: Type.Boolean(),
        },
        strict,
      ),
    ),
    hasMore: Type.Boolean(),
  },
  strict,
)

export type Calendar = Static<typeof calendarSchema>
type CalendarRelease = Calendar['releases'][number]

export interface CalendarRequest {
  readonly principal: AdminPrincipal
  readonly from: string
  readonly to: string
}

/** A change of an entry by a release. */
export type PlannedItem = ReleaseItem & { readonly releaseId: number }

export const mostEntries = 500
export const mostReleases = 100

/** The releases in a time range with their items, for callers who may read releases. */
export async function plannedReleases(
  releases: Releases | undefined,
  { principal, from, to }: CalendarRequest,
): Promise<{ readonly releases: readonly Release[]; readonly items: readonly PlannedItem[] }> {
  if (releases?.mayRead(principal) !== true) return { releases: [], items: [] }
  const found = await releases.between(from, to, mostReleases + 1)
  const open = found.filter(({ status }) => status !== 'published').map(({ id }) => id)
  return { releases: found, items: open.length === 0 ? [] : await releases.items(open) }
}

const keyOf = (type: string, id: number) => `${type}:${id}`
const keyOfItem = ({ contentType, entryId }: ReleaseItem) => keyOf(contentType, entryId)

/** Lists the planned changes in a time range that a caller may see. */
export function createCalendar(findDue: FindDue, { auth, releases }: ScheduledParts) {
  function shownRelease(
    release: Release,
    items: readonly PlannedItem[],
    counts: ReadonlyMap<string, number>,
    principal: AdminPrincipal,
  ): CalendarRelease {
    const { id, name, status, scheduledAt, entryCount } = release
    const own = items.filter(({ releaseId }) => releaseId === id)
    const at = scheduledAt ?? ''
    const isOverdue = status !== 'published' && Date.parse(at) < Date.now() - overdueMs
    const isShared = own.some(
      (item) =>
        auth.mayContent(principal, item.contentType, 'read') && (counts.get(keyOfItem(item)) ?? 0) > 1,
    )
    const mayMove =
      status !== 'published' &&
      own.every(({ contentType }) => auth.mayContent(principal, contentType, 'publish'))
    const conflict = status === 'failed' || isOverdue || isShared
    return { id, name, status, at, entryCount, conflict, mayMove }
  }

  const limit = mostEntries + 1

  /** Past publications, queried separately so that they do not crowd out planned ones. */
  async function findPublished({ principal, from, to }: CalendarRequest, now: string): Promise<TitledDue[]> {
    if (from >= now) return []
    return findDue({ principal, from, to: to < now ? to : now, limit, actions: ['publish'] })
  }

  async function findPlanned({ principal, from, to }: CalendarRequest, now: string): Promise<TitledDue[]> {
    if (to <= now) return []
    return findDue({ principal, from: from > now ? from : now, to, limit, actions: ['publish', 'unpublish'] })
  }

  return async (request: CalendarRequest): Promise<Calendar> => {
    const now = new Date().toISOString()
    const [published, due] = await Promise.all([findPublished(request, now), findPlanned(request, now)])
    const planned = await plannedReleases(releases, request)
    const counts = countOf([
      ...planned.items.map(keyOfItem),
      ...due.filter(({ action }) => action === 'publish').map(({ type, id }) => keyOf(type, id)),
    ])
    const entries = due.slice(0, mostEntries).map((each) => ({
      ...each,
      conflict: each.action === 'publish' && (counts.get(keyOf(each.type, each.id)) ?? 0) > 1,
    }))
    const past = published.slice(0, mostEntries).map((each) => ({ ...each, conflict: false }))
    return {
      entries: [...past, ...entries],
      releases: planned.releases
        .slice(0, mostReleases)
        .map((release) => shownRelease(release, planned.items, counts, request.principal)),
      hasMore:
        published.length > mostEntries || due.length > mostEntries || planned.releases.length > mostReleases,
    }
  }
}

/** In milliseconds. A release may take seconds, or wait for a process to start. */
const overdueMs = 120_000

function countOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
