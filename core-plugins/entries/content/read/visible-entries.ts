import { sql } from 'drizzle-orm'
import type { Principal } from '../../../foundation/http/http.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { nowSlot, visibleTargetWhere, withTrash } from '../query/visibility.ts'
import type { VisibleEntries } from '../services/content-queries-service.ts'
import { type CallerDeps, visibilityKey, visibilityOf } from './caller.ts'
import type { ReadDeps } from './read-deps.ts'

/** See `ContentQueries.visible`. */
export function visibleEntries(
  { type }: EntryModel,
  { principal, isTrashSeen }: { readonly principal: Principal; readonly isTrashSeen: boolean },
  { auth, database: { dialect } }: Pick<ReadDeps, 'database'> & CallerDeps,
): VisibleEntries {
  const seen = isTrashSeen ? withTrash(type) : type
  const visibility = visibilityOf(principal, [seen], auth)
  return {
    key: `${type.name} ${visibilityKey(principal, [type], auth)} ${isTrashSeen}`,
    values: { [nowSlot]: dialect.bind(new Date().toISOString(), 'datetime') },
    where: (alias) => visibleTargetWhere(seen, alias, visibility, dialect) ?? sql`1 = 1`,
  }
}
