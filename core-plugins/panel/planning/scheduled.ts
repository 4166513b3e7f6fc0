import { type Static, Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Release, Releases } from '../../editing/releases/releases.ts'
import type { Content } from '../../entries/content/content.ts'
import { findTitles } from '../../entries/content-types/content-types.ts'
import { type AdminPrincipal, orNull, strict, timestampSchema } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import { createDueEntries, type DueAction, type DueEntriesParts } from './due-entries.ts'

export interface ScheduledParts extends DueEntriesParts {
  readonly auth: Auth
  readonly content: Content
  readonly schemas: Schemas
  readonly releases: Releases | undefined
}

/** The schema of an entry in responses about planned changes. */
export const titledEntry = { type: Type.String(), id: Type.Integer(), title: orNull(Type.String()) }

/** An entry that is published or unpublished at a time. */
export interface TitledDue {
  readonly type: string
  readonly id: number
  readonly title: string | null
  readonly action: DueAction
  readonly at: string
}

export interface DueSpan {
  readonly principal: AdminPrincipal
  readonly actions: readonly DueAction[]
  readonly from: string
  readonly to: string
  readonly limit: number
}

/** Finds the entries due in a time range, with titles, if the caller may see drafts of their types. */
export type FindDue = (span: DueSpan) => Promise<TitledDue[]>

export function createFindDue(parts: ScheduledParts): FindDue {
  const { auth, content, schemas } = parts
  const dueEntries = createDueEntries(parts)
  const withDrafts = [...schemas.types.values()].filter(({ options }) => options.draftAndPublish)
  return async (span) => {
    const { principal } = span
    const types = withDrafts.filter(({ name }) => auth.seesDrafts(principal, name))
    const due = await dueEntries({ ...span, types })
    const wanted = due.map((row) => ({ ...row, type: schemas.types.get(row.type) as ContentType }))
    const titles = await findTitles(content, wanted, principal)
    return wanted.flatMap(({ type, id, action, at }) => {
      const title = titles.get(type)?.get(id)
      return title === undefined ? [] : [{ type: type.name, id, title, action, at }]
    })
  }
}

/** The next publications, earliest first. */
export const scheduledSchema = Type.Object(
  {
    entries: Type.Array(Type.Object({ ...titledEntry, published_at: timestampSchema }, strict)),
    releases: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          name: Type.String(),
          scheduled_at: timestampSchema,
          entryCount: Type.Integer(),
        },
        strict,
      ),
    ),
  },
  strict,
)

export type Scheduled = Static<typeof scheduledSchema>
type ScheduledRelease = Scheduled['releases'][number]

export interface ScheduledRequest {
  readonly principal: AdminPrincipal
  readonly limit: number
}

/** Later than any time that an entry can have. */
const endOfTime = '9999-12-31T23:59:59.999Z'

/** Finds the next publications that a caller may see. */
export function createScheduled(findDue: FindDue, releases: Releases | undefined) {
  async function releasesOf({ principal, limit }: ScheduledRequest): Promise<ScheduledRelease[]> {
    if (releases?.mayRead(principal) !== true) return []
    return (await releases.scheduled(limit)).flatMap(shownRelease)
  }

  return async (request: ScheduledRequest): Promise<Scheduled> => {
    const from = new Date().toISOString()
    const due = await findDue({ ...request, actions: ['publish'], from, to: endOfTime })
    return {
      entries: due.map(({ type, id, title, at }) => ({ type, id, title, published_at: at })),
      releases: await releasesOf(request),
    }
  }
}

function shownRelease({ id, name, scheduledAt, entryCount }: Release): ScheduledRelease[] {
  return scheduledAt === null ? [] : [{ id, name, scheduled_at: scheduledAt, entryCount }]
}
