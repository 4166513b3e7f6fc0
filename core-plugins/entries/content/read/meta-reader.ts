import type { Queries } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import { type AnswerBudget, type AnswerPlace, jsonBytes } from '../answer-budget.ts'
import type { Entry } from '../entry/entry.ts'
import { metaField } from '../entry/entry-meta.ts'
import type { ReadQuery } from '../query/read-query.ts'
import type { ReadDeps } from './read-deps.ts'

/** Adds metadata from plugins to entries, in place; one query per plugin. */
export interface MetaReader {
  read(
    entries: readonly Entry[],
    queries: Queries,
    asked: { readonly budget: AnswerBudget; readonly principal: Principal },
    place: AnswerPlace,
  ): Promise<void>
}

/** Undefined if the query does not request metadata. */
export function createMetaReader({ meta, model }: ReadQuery, { metaOf }: ReadDeps): MetaReader | undefined {
  if (!meta) return undefined
  const { type } = model
  const known = metaOf(type)
  return {
    async read(entries, queries, { budget, principal }, place) {
      if (entries.length === 0) return
      const ids = entries.map(({ id }) => id)
      const loaded = await Promise.all(known.map((each) => each.load(type, ids, queries, principal)))
      for (const entry of entries) {
        const values = known.map((each, index) => {
          const value = loaded[index]?.get(entry.id)
          return [each.name, value === undefined ? each.valueOfOthers(type) : value]
        })
        const shown = Object.fromEntries(values)
        budget.takeBytes(jsonBytes(shown), place)
        entry[metaField] = shown
      }
    },
  }
}
