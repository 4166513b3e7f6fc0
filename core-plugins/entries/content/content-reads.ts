import { type Awaitable, andThen } from '../../../kernel/index.ts'
import type { Recipient } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { AnswerBudget } from './answer-budget.ts'
import type { EntryPage, FoundEntry } from './entry/entry.ts'
import type { EntryModel } from './entry/entry-model.ts'
import type { EntryQuery } from './entry-query.ts'
import { observeStages } from './read/observe-references.ts'
import type { ReadStages, StagedRead } from './read/read-stages.ts'
import type { AskedRead, Reader } from './read/reader.ts'
import { withoutFields } from './read/unasked-fields.ts'
import type { ReadResult } from './read-middleware.ts'
import type { ContentReads } from './services/content-service.ts'

/** The model of a content type. @throws AppError 404 */
export type ModelOf = (name: string) => EntryModel

/** The models of the content types served over REST; 404 for system types. */
export function servedModels(models: ReadonlyMap<string, EntryModel>): ModelOf {
  return (name) => {
    const model = models.get(name)
    if (model === undefined || model.type.system) throw AppError.notFound(`content type ${name}`)
    return model
  }
}

/** Returns the model of a type that the caller wants to read. @throws AppError 401, 403, 404 */
export type OpenModel = (name: string, principal: Principal) => EntryModel

export interface ReadsDeps {
  readonly open: OpenModel
  readonly modelOf: ModelOf
  readonly reader: Reader
  readonly readStages: ReadStages
}

type StagedAsked = AskedRead & { readonly id: number }

/**
 * Wraps the reader in the read middleware. `budgetOf` is called once per read and returns what is left of the
 * answer.
 */
export function createReads(deps: ReadsDeps, budgetOf: () => AnswerBudget): ContentReads {
  const { open, reader, readStages } = deps

  function list(
    name: string,
    query: string | EntryQuery,
    principal: Principal,
    recipient?: Recipient,
  ): Awaitable<EntryPage> {
    const model = open(name, principal)
    const asked = { query, principal, budget: budgetOf(), recipient }
    const read = () => reader.list(model, asked)
    const staged = readStages.around(model.type, 'list')
    if (staged === undefined) return read()
    observeStages(readStages, model.type, recipient)
    return throughStages(staged, { model, operation: 'list', id: 0, asked }, read) as Promise<EntryPage>
  }

  const find: ContentReads['find'] = (name, id, query, principal, recipient) => {
    const model = open(name, principal)
    const asked = { query, principal, budget: budgetOf(), recipient }
    const read = () => reader.find(model, id, asked)
    const staged = readStages.around(model.type, 'find')
    if (staged === undefined) return read()
    observeStages(readStages, model.type, recipient)
    const found = throughStages(staged, { model, operation: 'find', id, asked }, read)
    return found as Promise<FoundEntry | undefined>
  }

  /** Stages see whole entries; fields that were not requested are removed afterwards. */
  async function throughStages(
    staged: StagedRead,
    { model, operation, id, asked }: StagedAsked,
    read: () => Awaitable<ReadResult>,
  ): Promise<ReadResult> {
    const { query, principal } = asked
    const result = await staged({ type: model.type, operation, id, query, principal }, read)
    return withoutUnasked(result, reader.unasked({ model, operation, asked }))
  }

  const findMany: ContentReads['findMany'] = async (name, ids, { principal, recipient, ...asked }) => {
    const model = open(name, principal)
    if (ids.length === 0) return []
    const { shown = asked.fields === undefined ? {} : { fields: asked.fields } } = asked
    const read = () => reader.findMany(model, ids, { principal, shown, budget: budgetOf(), recipient })
    const staged = readStages.around(model.type, 'list')
    if (staged === undefined) return read()
    observeStages(readStages, model.type, recipient)
    const query: EntryQuery = { filters: { id: { $in: ids } }, ...shown }
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
      andThen(reader.singleId(open(name, principal), { query, principal, recipient }), (id) =>
        id === undefined ? undefined : find(name, id, query, principal, recipient),
      ),
    // It extends an entry that the caller has already received; the query checks access to what it adds.
    populateInto: (name, query, principal, recipient) =>
      reader.populateInto(deps.modelOf(name), { query, principal, budget: budgetOf(), recipient }),
  }
}

function withoutUnasked(result: ReadResult, names: readonly string[]): ReadResult {
  if (result === undefined || names.length === 0) return result
  if ('entry' in result) return { ...result, entry: withoutFields(result.entry, names) }
  return { ...result, entries: result.entries.map((entry) => withoutFields(entry, names)) }
}
