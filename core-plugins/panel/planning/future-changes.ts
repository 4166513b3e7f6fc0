import { type Static, Type } from 'typebox'
import type { Entry, StoredEntries } from '../../entries/content/content.ts'
import { titleFieldOf } from '../../entries/content-types/content-types.ts'
import { type AdminPrincipal, orNull, strict, timestampSchema } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { mostEntries, plannedReleases } from './calendar.ts'
import type { DueAction } from './due-entries.ts'
import { type FindDue, type ScheduledParts, titledEntry } from './scheduled.ts'

/** What readers will see differently, in order of time. */
export const futureChangesSchema = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          ...titledEntry,
          change: Type.Enum(['appears', 'disappears', 'changes']),
          at: timestampSchema,
          // The release that makes the change; null if it is the entry's own time.
          release: orNull(Type.Object({ id: Type.Integer(), name: Type.String() }, strict)),
        },
        strict,
      ),
    ),
    hasMore: Type.Boolean(),
  },
  strict,
)

export type FutureChanges = Static<typeof futureChangesSchema>
type FutureChange = FutureChanges['changes'][number]

export interface FutureRequest {
  readonly principal: AdminPrincipal
  readonly until: string
}

export interface FutureParts extends ScheduledParts {
  readonly storedEntries: StoredEntries
}

interface Planned {
  readonly type: string
  readonly id: number
  readonly action: DueAction
  readonly at: string
  readonly release: FutureChange['release']
}

/** Compares what is public at a future time with what is public now, as far as a caller may see it. */
export function createFutureChanges(findDue: FindDue, parts: FutureParts) {
  const { auth, content, database, releases, schemas, storedEntries } = parts

  async function plannedUntil({ principal, until: to }: FutureRequest) {
    const from = new Date().toISOString()
    const actions = ['publish', 'unpublish'] as const
    const due = await findDue({ principal, from, to, limit: mostEntries + 1, actions })
    const planned = await plannedReleases(releases, { principal, from, to })
    const byId = new Map(planned.releases.map((release) => [release.id, release]))
    const byReleases = planned.items.flatMap(({ contentType: type, entryId: id, action, releaseId }) => {
      const release = byId.get(releaseId)
      if (release === undefined || !auth.seesDrafts(principal, type)) return []
      const { name, scheduledAt } = release
      return [{ type, id, action, at: scheduledAt ?? to, release: { id: releaseId, name } }]
    })
    const all: Planned[] = [...due.map((each) => ({ ...each, release: null })), ...byReleases]
    return { all: all.sort((left, right) => (left.at < right.at ? -1 : 1)), isCut: due.length > mostEntries }
  }

  /** The changes of one type: the last planned change of each entry decides. */
  async function changesIn(
    type: ContentType,
    planned: ReadonlyMap<number, Planned>,
    principal: AdminPrincipal,
  ): Promise<FutureChange[]> {
    const field = titleFieldOf([...type.attributes.values()], type.pluginOptions)
    const ids = [...planned.keys()].slice(0, mostEntries)
    const fields = [...new Set(['id', field, 'published_at'])]
    const entries = await content.findMany(type.name, ids, { principal, fields })
    const drafts = await storedEntries.drafts(type.name, ids, database)
    return entries.flatMap((entry) => {
      const last = planned.get(entry.id) as Planned
      const change = changeOf(entry, last, drafts.has(entry.id))
      if (change === undefined) return []
      const title = typeof entry[field] === 'string' ? entry[field] : null
      return [{ type: type.name, id: entry.id, title, change, at: last.at, release: last.release }]
    })
  }

  return async (request: FutureRequest): Promise<FutureChanges> => {
    const { all, isCut } = await plannedUntil(request)
    const changes: FutureChange[] = []
    for (const [name, planned] of lastOfEach(all)) {
      const type = schemas.types.get(name)
      if (type !== undefined) changes.push(...(await changesIn(type, planned, request.principal)))
    }
    changes.sort((left, right) => (left.at < right.at ? -1 : 1))
    return { changes: changes.slice(0, mostEntries), hasMore: isCut || changes.length > mostEntries }
  }
}

function changeOf(
  { published_at: publishedAt }: Entry,
  { action }: Planned,
  hasDraft: boolean,
): FutureChange['change'] | undefined {
  const isPublic = typeof publishedAt === 'string' && publishedAt <= new Date().toISOString()
  if (action === 'unpublish') return isPublic ? 'disappears' : undefined
  if (!isPublic) return 'appears'
  return hasDraft ? 'changes' : undefined
}

/** The last planned change by type and id, with its time. */
function lastOfEach(planned: readonly Planned[]): ReadonlyMap<string, ReadonlyMap<number, Planned>> {
  const types = new Map<string, Map<number, Planned>>()
  for (const each of planned) {
    const known = types.get(each.type) ?? new Map<number, Planned>()
    if (known.get(each.id)?.action !== each.action) known.set(each.id, each)
    types.set(each.type, known)
  }
  return types
}
