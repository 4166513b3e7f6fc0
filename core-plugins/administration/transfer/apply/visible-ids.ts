import type { Auth } from '../../../accounts/auth/auth.ts'
import type { StoredEntries } from '../../../entries/content/content.ts'
import type { Queries } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'

export interface VisibleIdsDeps {
  readonly auth: Auth
  readonly storedEntries: StoredEntries
}

/** The ids of those entries, files or accounts that the caller may see by themselves, not only through a reference. */
export async function visibleIds(
  { auth, storedEntries }: VisibleIdsDeps,
  type: ContentType,
  ids: readonly number[],
  { principal, on }: { readonly principal: Principal; readonly on: Queries },
): Promise<ReadonlySet<number>> {
  if (ids.length === 0 || !mayRead(auth, type, principal)) return new Set()
  const isDraftHidden = type.options.draftAndPublish && !auth.seesDrafts(principal, type.name)
  if (type.system || !isDraftHidden) return new Set(ids)
  const now = new Date().toISOString()
  const rows = await storedEntries.read(type.name, ids, on)
  return new Set(
    rows.filter(({ published_at: at }) => typeof at === 'string' && at <= now).map(({ id }) => id),
  )
}

function mayRead(auth: Auth, { name, system }: ContentType, principal: Principal): boolean {
  if (!system) return auth.mayContent(principal, name, 'read')
  if (name === 'media' || name === 'media-folder') return auth.mayMedia(principal, 'read')
  return auth.mayAdminister(principal, name === 'role' ? 'admin:roles:read' : 'admin:users:read')
}
