import { type Static, Type } from 'typebox'
import { type Auth, personSchema } from '../../accounts/auth/auth.ts'
import type { Audit, RecordedWrite } from '../../background/audit/audit.ts'
import type { Content } from '../../entries/content/content.ts'
import { findTitles } from '../../entries/content-types/content-types.ts'
import { type AdminPrincipal, strict, timestampSchema } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import { titledEntry } from './scheduled.ts'

export interface RecentParts {
  readonly audit: Audit
  readonly auth: Auth
  readonly content: Content
  readonly schemas: Schemas
}

/** A recently written entry. */
export const recentEntrySchema = Type.Object(
  {
    ...titledEntry,
    operation: Type.String({ description: '`create`, `update`, `publish` and so on' }),
    by: personSchema,
    at: timestampSchema,
  },
  strict,
)

export type RecentEntry = Static<typeof recentEntrySchema>

export interface RecentRequest {
  readonly by: 'me' | 'others'
  readonly limit: number
  readonly principal: AdminPrincipal
}

/** A write with its entry. */
interface EntryWrite extends RecordedWrite {
  readonly type: ContentType
  readonly id: number
}

/** The entries most recently written by the caller or by others, without duplicates, as far as the caller may see them. */
export async function findRecent(
  { audit, auth, content, schemas }: RecentParts,
  { by, limit, principal }: RecentRequest,
): Promise<RecentEntry[]> {
  const recorded = await audit.latestWrites(
    by === 'me' ? { admin: principal.id } : { exceptAdmin: principal.id },
  )
  const latest = latestOfEach(recorded.flatMap((write) => entryWrite(write, schemas))).filter(({ type }) =>
    auth.mayContent(principal, type.name, 'read'),
  )
  const titles = await findTitles(content, latest, principal)
  return latest
    .filter(({ type, id }) => titles.get(type)?.has(id))
    .slice(0, limit)
    .map(({ type, id, operation, admin, at }) => ({
      ...{ type: type.name, id, operation, at },
      title: titles.get(type)?.get(id) ?? null,
      by: admin,
    }))
}

function entryWrite(write: RecordedWrite, { types }: Schemas): EntryWrite[] {
  const [name = '', id] = write.resource.split(':')
  const type = types.get(name)
  return type === undefined ? [] : [{ ...write, type, id: Number(id) }]
}

/** The latest write of each entry; the input is newest first. */
function latestOfEach(writes: readonly EntryWrite[]): EntryWrite[] {
  const seen = new Set<string>()
  return writes.filter(({ resource }) => seen.size < seen.add(resource).size)
}
