import { compilePipeline, type Pipeline } from '../../kernel/index.ts'
import type { Database } from '../database/database.ts'
import { AppError, type Principal } from '../http/http.ts'
import { type Awaitable, andThen } from './awaitable.ts'
import type {
  Content,
  Entry,
  EntryPage,
  EntryQuery,
  FoundEntry,
  PendingDraft,
  ReadContext,
  ReadOperation,
  ReadResult,
  ReadStage,
  SystemEntries,
} from './content.ts'
import type { DraftsOf } from './draft-overlay.ts'
import type { EntryModel } from './entry-model.ts'
import type { Reader } from './read/reader.ts'
import { type Selections, visibleField } from './read/selection.ts'
import type { SingleIds } from './read/single-ids.ts'
import type { Writer } from './write/writer.ts'

export interface ContentParts {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly reader: Reader
  readonly selections: Selections
  readonly writer: Writer
  readonly draftsOf: DraftsOf
  /** Complete once all plugins have booted; asked at the first read. */
  readonly stages: () => readonly ReadStage[]
  readonly database: Database
  readonly singles: SingleIds
  readonly forgetQueries: () => void
  readonly system: (model: EntryModel, ownFields: readonly string[]) => SystemEntries
}

const noDrafts: ReadonlyMap<number, PendingDraft> = new Map()

/** Puts the read middleware around the reader; writes bring theirs along. */
export function createContent(parts: ContentParts): Content {
  const { models, reader, selections, writer, draftsOf, stages, system } = parts
  const { database, singles, forgetQueries } = parts
  const pipelines = new Map<string, Pipeline<ReadContext, ReadResult> | undefined>()

  function modelOf(name: string): EntryModel {
    const model = models.get(name)
    if (model === undefined || model.type.system) throw AppError.notFound(`content type ${name}`)
    return model
  }

  /** Undefined where no middleware has a say: then a read goes straight to the reader. */
  function pipelineOf(model: EntryModel, operation: ReadOperation) {
    const key = `${operation} ${model.type.name}`
    if (pipelines.has(key)) return pipelines.get(key)
    const target = { type: model.type, operation }
    const isWatched = stages().some((stage) => stage.matches(target))
    const pipeline = isWatched ? compilePipeline(stages(), target, read) : undefined
    pipelines.set(key, pipeline)
    return pipeline
  }

  function read({ type, operation, id, query, principal }: ReadContext): Awaitable<ReadResult> {
    const model = modelOf(type.name)
    return operation === 'list'
      ? reader.list(model, query, principal)
      : reader.find(model, id, query, principal)
  }

  function list(name: string, query: string | EntryQuery, principal: Principal): Awaitable<EntryPage> {
    const model = modelOf(name)
    const pipeline = pipelineOf(model, 'list')
    if (pipeline === undefined) return reader.list(model, query, principal)
    return pipeline({ type: model.type, operation: 'list', id: 0, query, principal }) as Promise<EntryPage>
  }

  function find(
    name: string,
    id: number,
    query: string | EntryQuery,
    principal: Principal,
  ): Awaitable<FoundEntry | undefined> {
    const model = modelOf(name)
    const pipeline = pipelineOf(model, 'find')
    if (pipeline === undefined) return reader.find(model, id, query, principal)
    const context: ReadContext = { type: model.type, operation: 'find', id, query, principal }
    return pipeline(context) as Promise<FoundEntry | undefined>
  }

  async function findMany(name: string, ids: readonly number[], principal: Principal): Promise<Entry[]> {
    const model = modelOf(name)
    if (ids.length === 0) return []
    if (pipelineOf(model, 'list') === undefined) return reader.findMany(model, ids, principal)
    const entries: Entry[] = []
    for (;;) {
      const rawQuery = `filters[id][$in]=${ids.join(',')}&sort=id&total=false&offset=${entries.length}`
      const page = await list(name, rawQuery, principal)
      entries.push(...page.entries)
      if (!page.pagination.hasMore || page.entries.length === 0) return entries
    }
  }

  function findSingle(name: string, query: string | EntryQuery, principal: Principal) {
    return andThen(reader.singleId(modelOf(name), query, principal), (id) =>
      id === undefined ? undefined : find(name, id, query, principal),
    )
  }

  function expander(name: string, query: EntryQuery, principal: Principal) {
    return reader.expander(modelOf(name), query, principal)
  }

  function systemEntries(name: string, ownFields: readonly string[]): SystemEntries {
    const model = models.get(name)
    if (model?.type.system !== true) throw new Error(`${name} is not a system type`)
    return system(model, ownFields)
  }

  return {
    ...writer,
    list,
    find,
    findMany,
    findSingle,
    keepsDrafts: (name) => draftsOf(modelOf(name).type) !== undefined,
    drafts(name, ids, on) {
      const { type } = modelOf(name)
      return ids.length === 0 ? noDrafts : (draftsOf(type)?.load(type, ids, on) ?? noDrafts)
    },
    field: (type, name) => visibleField(modelOf(type), name),
    select: (request) => selections.select(modelOf(request.type), request),
    fieldNames(name) {
      const model = models.get(name)
      if (model === undefined) throw AppError.notFound(`content type ${name}`)
      return [...model.shownNames, ...model.inverses.keys()]
    },
    singleId: (name, query) => andThen(singles.ofWrite(modelOf(name), { query }, database), ({ id }) => id),
    forgetQueries,
    expander,
    systemEntries,
  }
}
