import { compilePipeline, type Pipeline } from '../../kernel/index.ts'
import { AppError, type Principal } from '../http/http.ts'
import { type Awaitable, andThen } from './awaitable.ts'
import type {
  Content,
  EntryPage,
  FoundEntry,
  ReadContext,
  ReadOperation,
  ReadResult,
  ReadStage,
} from './content.ts'
import type { EntryModel } from './entry-model.ts'
import type { Reader } from './read/reader.ts'
import type { Writer } from './write/writer.ts'

export interface ContentParts {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly reader: Reader
  readonly writer: Writer
  /** Complete once all plugins have booted; asked at the first read. */
  readonly stages: () => readonly ReadStage[]
}

/** Puts the read middleware around the reader; writes bring theirs along. */
export function createContent({ models, reader, writer, stages }: ContentParts): Content {
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

  function read({ type, operation, id, rawQuery, principal }: ReadContext): Awaitable<ReadResult> {
    const model = modelOf(type.name)
    return operation === 'list'
      ? reader.list(model, rawQuery, principal)
      : reader.find(model, id, rawQuery, principal)
  }

  function list(name: string, rawQuery: string, principal: Principal): Awaitable<EntryPage> {
    const model = modelOf(name)
    const pipeline = pipelineOf(model, 'list')
    if (pipeline === undefined) return reader.list(model, rawQuery, principal)
    return pipeline({ type: model.type, operation: 'list', id: 0, rawQuery, principal }) as Promise<EntryPage>
  }

  function find(
    name: string,
    id: number,
    rawQuery: string,
    principal: Principal,
  ): Awaitable<FoundEntry | undefined> {
    const model = modelOf(name)
    const pipeline = pipelineOf(model, 'find')
    if (pipeline === undefined) return reader.find(model, id, rawQuery, principal)
    const context: ReadContext = { type: model.type, operation: 'find', id, rawQuery, principal }
    return pipeline(context) as Promise<FoundEntry | undefined>
  }

  function findSingle(name: string, rawQuery: string, principal: Principal) {
    return andThen(reader.singleId(modelOf(name)), (id) =>
      id === undefined ? undefined : find(name, id, rawQuery, principal),
    )
  }

  return { ...writer, list, find, findSingle }
}
