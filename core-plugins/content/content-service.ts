import type { Database } from '../database/database.ts'
import { AppError } from '../http/http.ts'
import type { AnswerBudget } from './answer-budget.ts'
import { andThen } from './awaitable.ts'
import type { Content, PendingDraft, SystemEntries } from './content.ts'
import { createReads } from './content-reads.ts'
import type { DraftsOf } from './draft-overlay.ts'
import type { EntryModel } from './entry-model.ts'
import type { ReadStages } from './read/read-stages.ts'
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
  readonly readStages: ReadStages
  /** As the settings have it now. */
  readonly answerBudget: () => AnswerBudget
  readonly database: Database
  readonly singles: SingleIds
  readonly forgetQueries: () => void
  readonly system: (model: EntryModel, ownFields: readonly string[]) => SystemEntries
}

const noDrafts: ReadonlyMap<number, PendingDraft> = new Map()

/** Puts the read middleware around the reader; writes bring theirs along. */
export function createContent(parts: ContentParts): Content {
  const { models, reader, selections, writer, draftsOf, readStages, system } = parts
  const { database, singles, forgetQueries, answerBudget } = parts

  function modelOf(name: string): EntryModel {
    const model = models.get(name)
    if (model === undefined || model.type.system) throw AppError.notFound(`content type ${name}`)
    return model
  }

  const readsWithin = (budgetOf: () => AnswerBudget) => createReads({ modelOf, reader, readStages }, budgetOf)

  function systemEntries(name: string, ownFields: readonly string[]): SystemEntries {
    const model = models.get(name)
    if (model?.type.system !== true) throw new Error(`${name} is not a system type`)
    return system(model, ownFields)
  }

  return {
    ...writer,
    ...readsWithin(answerBudget),
    within: (budget) => readsWithin(() => budget),
    answerBudget,
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
    completeComponents(name, values) {
      for (const { name: field, complete } of modelOf(name).columns.values()) complete?.(values[field])
    },
    singleId: (name, query) => andThen(singles.ofWrite(modelOf(name), { query }, database), ({ id }) => id),
    forgetQueries,
    systemEntries,
  }
}
