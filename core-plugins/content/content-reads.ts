import type { Recipient } from '../database/database.ts'
import type { Principal } from '../http/http.ts'
import type { AnswerBudget } from './answer-budget.ts'
import { type Awaitable, andThen } from './awaitable.ts'
import type { ContentReads, Entry, EntryPage, EntryQuery, FoundEntry, ReadResult } from './content.ts'
import type { EntryModel } from './entry-model.ts'
import type { ReadStages, StagedRead } from './read/read-stages.ts'
import type { AskedRead, Reader } from './read/reader.ts'

export interface ReadsScope {
  /** @throws AppError 404 */
  readonly modelOf: (name: string) => EntryModel
  readonly reader: Reader
  readonly readStages: ReadStages
}

type StagedAsked = AskedRead & { readonly id: number }

/** Puts the read middleware around the reader. `budgetOf` is asked once per read: for what is left of its answer. */
export function createReads(scope: ReadsScope, budgetOf: () => AnswerBudget): ContentReads {
  const { modelOf, reader, readStages } = scope

  function list(
    name: string,
    query: string | EntryQuery,
    principal: Principal,
    recipient?: Recipient,
  ): Awaitable<EntryPage> {
    const model = modelOf(name)
    const asked = { query, principal, budget: budgetOf(), recipient }
    const read = () => reader.list(model, asked)
    const staged = readStages.around(model.type, 'list')
    if (staged === undefined) return read()
    return throughStages(staged, { model, operation: 'list', id: 0, asked }, read) as Promise<EntryPage>
  }

  const find: ContentReads['find'] = (name, id, query, principal, recipient) => {
    const model = modelOf(name)
    const asked = { query, principal, budget: budgetOf(), recipient }
    const read = () => reader.find(model, id, asked)
    const staged = readStages.around(model.type, 'find')
    if (staged === undefined) return read()
    const found = throughStages(staged, { model, operation: 'find', id, asked }, read)
    return found as Promise<FoundEntry | undefined>
  }

  /** They see entries whole; what was not asked for goes afterwards. */
  async function throughStages(
    staged: StagedRead,
    { model, operation, id, asked }: StagedAsked,
    read: () => Awaitable<ReadResult>,
  ): Promise<ReadResult> {
    const { query, principal } = asked
    const result = await staged({ type: model.type, operation, id, query, principal }, read)
    return withoutFields(result, reader.unasked({ model, operation, asked }))
  }

  const findMany: ContentReads['findMany'] = async (name, ids, { principal, fields, recipient }) => {
    const model = modelOf(name)
    if (ids.length === 0) return []
    const read = () => reader.findMany(model, ids, { principal, fields, budget: budgetOf(), recipient })
    const staged = readStages.around(model.type, 'list')
    if (staged === undefined) return read()
    const query: EntryQuery = { filters: { id: { $in: ids } }, ...(fields && { fields }) }
    const page = await staged({ type: model.type, operation: 'list', id: 0, query, principal }, async () => {
      const entries = await read()
      return { entries, pagination: { limit: ids.length, hasMore: false } }
    })
    return (page as EntryPage).entries
  }

  return {
    list,
    find,
    findMany,
    findSingle: (name, query, principal, recipient) =>
      andThen(reader.singleId(modelOf(name), { query, principal }), (id) =>
        id === undefined ? undefined : find(name, id, query, principal, recipient),
      ),
    expander: (name, query, principal) =>
      reader.expander(modelOf(name), { query, principal, budget: budgetOf(), recipient: undefined }),
  }
}

/** A copy: middleware may keep what it answers. */
function withoutFields(result: ReadResult, names: readonly string[]): ReadResult {
  if (result === undefined || names.length === 0) return result
  const without = (entry: Entry): Entry => {
    const copy = { ...entry }
    for (const name of names) delete copy[name]
    return copy
  }
  if ('entry' in result) return { ...result, entry: without(result.entry) }
  return { ...result, entries: result.entries.map(without) }
}
