import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import type { Database } from '../../../foundation/database/database.ts'
import { draftMark, putDraft } from '../drafts/draft-overlay.ts'
import type { Entry } from '../entry/entry.ts'
import type { ReadQuery } from '../query/read-query.ts'
import type { Visibility } from '../query/visibility.ts'
import { createPruner } from './pruner.ts'
import type { ReadDeps } from './read-deps.ts'

/** Applies pending drafts to entries, in place, with one query for all of them. `now` is ISO 8601. */
export interface DraftReader {
  overlay(entries: readonly Entry[], now: string, database: Database): Awaitable<void>
}

/** Undefined if the query does not ask for drafts. */
export function createDraftReader(
  query: ReadQuery,
  visibility: Visibility,
  deps: ReadDeps,
): DraftReader | undefined {
  const { model, draft, showsIds } = query
  const drafts = draft ? deps.draftsOf(model.type) : undefined
  if (drafts === undefined) return undefined
  // The query already hides ids of the row, but not those of a draft.
  const pruner = showsIds ? createPruner(model, 'draft', visibility, deps) : undefined

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
        return changed.length === 0
          ? undefined
          : pruner?.prune(changed, { now, queries: database, recipient: undefined })
      })
    },
  }
}
