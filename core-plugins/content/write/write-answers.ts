import type { Auth } from '../../auth/auth.ts'
import type { Queries } from '../../database/database.ts'
import type { Principal } from '../../http/http.ts'
import type { Entry } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import type { ReadScope } from '../read/compiled-read.ts'
import { createPruner, type Pruner } from '../read/pruner.ts'

export interface WriteAnswers {
  /** The written entry as the caller may see it: without ids of entries that are hidden from the caller. */
  answerTo(principal: Principal, model: EntryModel, entry: Entry, queries: Queries): Promise<Entry>
}

export function createWriteAnswers(scope: ReadScope & { readonly auth: Auth }): WriteAnswers {
  const { auth, schemas } = scope
  const draftTypes = [...schemas.types.values()].filter(({ options }) => options.draftAndPublish)
  const pruners = new Map<string, Pruner | undefined>()

  function prunerFor(principal: Principal, model: EntryModel): Pruner | undefined {
    const seen = draftTypes.filter(({ name }) => auth.seesDrafts(principal, name))
    const key = `${model.type.name}: ${seen.map(({ name }) => name).join()}`
    if (!pruners.has(key)) {
      pruners.set(key, createPruner(model, 'all', { seesDrafts: (type) => seen.includes(type) }, scope))
    }
    return pruners.get(key)
  }

  return {
    async answerTo(principal, model, entry, queries) {
      const pruner = prunerFor(principal, model)
      if (pruner === undefined) return entry
      // A copy: hooks are told of the whole entry.
      const answer = structuredClone(entry)
      await pruner.prune([answer], new Date().toISOString(), queries)
      return answer
    },
  }
}
