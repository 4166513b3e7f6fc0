import type { Database } from '../../database/database.ts'
import { type Awaitable, andThen } from '../awaitable.ts'
import type { Entry } from '../content.ts'
import { draftMark, putDraft } from '../draft-overlay.ts'
import type { ReadQuery } from '../query/read-query.ts'
import type { Visibility } from '../query/visibility.ts'
import type { ReadScope } from './compiled-read.ts'
import { createPruner } from './pruner.ts'

/** Puts the drafts beside entries into them, in place, with one query for all. `now` is ISO 8601. */
export interface DraftReader {
  overlay(entries: readonly Entry[], now: string, database: Database): Awaitable<void>
}

/** Undefined where the query does not ask for drafts. */
export function createDraftReader(
  query: ReadQuery,
  visibility: Visibility,
  scope: ReadScope,
): DraftReader | undefined {
  const { model, draft, showsIds } = query
  const drafts = draft ? scope.draftsOf(model.type) : undefined
  if (drafts === undefined) return undefined
  // The query hides ids that come out of the row by itself, but not those of a draft.
  const pruner = showsIds ? createPruner(model, 'draft', visibility, scope) : undefined

  return {
    overlay(entries, now, database) {
      if (entries.length === 0) return undefined
      const ids = entries.map(({ id }) => id)
      return andThen(drafts.load(model.type, ids), (found) => {
        const changed = entries.filter(({ id }) => found.has(id))
        for (const entry of entries) {
          const draft = found.get(entry.id)
          if (draft !== undefined) putDraft(model, entry, draft)
          entry[draftMark] = draft !== undefined
        }
        return changed.length === 0 ? undefined : pruner?.prune(changed, now, database)
      })
    },
  }
}
