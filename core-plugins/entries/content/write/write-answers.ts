import type { Awaitable } from '../../../../kernel/index.ts'
import type { Auth } from '../../../accounts/auth/auth.ts'
import type { Queries } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { Entry, FoundEntry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { referencedTypes } from '../query/referenced-types.ts'
import { visibilityKey, visibilityOf } from '../read/caller.ts'
import { createPruner, type Pruner } from '../read/pruner.ts'
import type { ReadDeps } from '../read/read-deps.ts'
import type { ReadContext } from '../read-middleware.ts'

export interface WriteAnswers {
  /** The written entry as the caller may see it: without ids of entries hidden from the caller. */
  answerTo(principal: Principal, model: EntryModel, entry: Entry, queries: Queries): Promise<Entry>
  /** The same for several states of entries, with as many queries as for one. */
  answersTo(
    principal: Principal,
    model: EntryModel,
    entries: readonly Entry[],
    queries: Queries,
  ): Promise<readonly Entry[]>
  /** The entry after the read middleware; only its id if the middleware hides the entry. */
  shownTo(principal: Principal, model: EntryModel, entry: Entry): Awaitable<Entry>
}

export function createWriteAnswers(deps: ReadDeps & { readonly auth: Auth }): WriteAnswers {
  const { auth, schemas, readStages } = deps
  const pruners = new Map<string, Pruner | undefined>()
  const referenced = new Map<EntryModel, readonly ContentType[]>()

  function referencedBy(model: EntryModel): readonly ContentType[] {
    const known = referenced.get(model)
    if (known !== undefined) return known
    const names = referencedTypes(model, schemas)
    const found = [...schemas.types.values()].filter(({ name }) => names.has(name))
    referenced.set(model, found)
    return found
  }

  function prunerFor(principal: Principal, model: EntryModel): Pruner | undefined {
    const types = referencedBy(model)
    const key = `${model.type.name} ${visibilityKey(principal, types, auth)}`
    if (!pruners.has(key)) {
      pruners.set(key, createPruner(model, 'all', visibilityOf(principal, types, auth), deps))
    }
    return pruners.get(key)
  }

  const answersTo: WriteAnswers['answersTo'] = async (principal, model, entries, queries) => {
    const pruner = prunerFor(principal, model)
    if (pruner === undefined) return entries
    // A copy, because hooks receive the whole entry.
    const answers = structuredClone(entries)
    await pruner.prune(answers, { now: new Date().toISOString(), queries, recipient: undefined })
    return answers
  }

  return {
    answersTo,
    async answerTo(principal, model, entry, queries) {
      const [answer = entry] = await answersTo(principal, model, [entry], queries)
      return answer
    },
    shownTo(principal, { type }, entry) {
      const staged = readStages.around(type, 'find')
      if (staged === undefined) return entry
      const context: ReadContext = { type, operation: 'find', id: entry.id, query: '', principal }
      // A copy, because hooks receive the whole entry.
      const found = staged(context, () => ({ entry: structuredClone(entry), version: '' }))
      return found.then((result) => (result as FoundEntry | undefined)?.entry ?? { id: entry.id })
    },
  }
}
