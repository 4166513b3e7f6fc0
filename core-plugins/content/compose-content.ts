import type { PluginContext } from '../../kernel/index.ts'
import { andThen } from '../../kernel/index.ts'
import type { Auth } from '../auth/auth.ts'
import { AppError } from '../http/http.ts'
import type { Schemas } from '../schemas/schemas.ts'
import type { AnswerBudget } from './answer-budget.ts'
import { createReads } from './content-reads.ts'
import type { ReferenceCheck } from './entry-extensions.ts'
import type { EntryModel } from './entry-model.ts'
import type { PendingDraft } from './pending-drafts.ts'
import type { PlanDeps, ReadPlans } from './read/read-plans.ts'
import { Reader } from './read/reader.ts'
import { createSelections, visibleField } from './read/selection.ts'
import { createSingleIds } from './read/single-ids.ts'
import type { BulkWrites } from './services/bulk-writes-service.ts'
import type { ContentQueries } from './services/content-queries-service.ts'
import type { Content } from './services/content-service.ts'
import type { StoredEntries } from './services/stored-entries-service.ts'
import type { Trash } from './services/trash-service.ts'
import { createSystemEntries } from './system-entries.ts'
import type { WriteContributions } from './write/compile-type.ts'
import {
  createBulkWrites,
  createContentWrites,
  createStoredWrites,
  createTrash,
  createWriteDeps,
} from './write/writes.ts'

/** Dependencies of the content services. */
export interface ContentParts extends PlanDeps {
  readonly auth: Auth
  readonly schemas: Schemas
  readonly plans: ReadPlans
  readonly emit: PluginContext['emit']
  /** Limits of one answer under the current settings. */
  readonly answerBudget: () => AnswerBudget
  /** Contributed by other plugins; complete once all of them have booted. */
  readonly checks: () => readonly ReferenceCheck[]
  readonly contributions: () => WriteContributions
}

/** The services that the content plugin provides. */
export interface ContentServices {
  readonly content: Content
  readonly bulkWrites: BulkWrites
  readonly trash: Trash
  readonly storedEntries: StoredEntries
  readonly contentQueries: ContentQueries
}

export function composeContent(parts: ContentParts): ContentServices {
  const singles = createSingleIds(parts)
  const reader = new Reader({ ...parts, singles })
  const writes = createWriteDeps({ ...parts, singles })
  const modelOf = servedModels(parts)
  const readsWithin = (budgetOf: () => AnswerBudget) =>
    createReads({ modelOf, reader, readStages: parts.readStages }, budgetOf)
  return {
    content: {
      ...readsWithin(parts.answerBudget),
      ...createContentWrites(writes),
      within: (budget = parts.answerBudget()) => readsWithin(() => budget),
      singleId: (name, query) =>
        andThen(singles.ofWrite(modelOf(name), { query }, parts.database), ({ id }) => id),
    },
    bulkWrites: createBulkWrites(writes),
    trash: createTrash(writes),
    storedEntries: { ...createStoredWrites(writes), ...storedReads(parts, reader, modelOf) },
    contentQueries: createContentQueries(parts, modelOf),
  }
}

type ModelOf = (name: string) => EntryModel

/** The content types served over REST. @throws AppError 404 */
function servedModels({ models }: ContentParts): ModelOf {
  return (name) => {
    const model = models.get(name)
    if (model === undefined || model.type.system) throw AppError.notFound(`content type ${name}`)
    return model
  }
}

const noDrafts: ReadonlyMap<number, PendingDraft> = new Map()

/** The read-only part of `StoredEntries`. */
function storedReads(
  parts: ContentParts,
  reader: Reader,
  modelOf: ModelOf,
): Pick<StoredEntries, 'drafts' | 'completeComponents' | 'systemEntries'> {
  return {
    drafts(name, ids, on) {
      const { type } = modelOf(name)
      return ids.length === 0 ? noDrafts : (parts.draftsOf(type)?.load(type, ids, on) ?? noDrafts)
    },
    completeComponents(name, values) {
      for (const { name: field, complete } of modelOf(name).columns.values()) complete?.(values[field])
    },
    systemEntries(name, ownFields) {
      const model = parts.models.get(name)
      if (model?.type.system !== true) throw new Error(`${name} is not a system type`)
      return createSystemEntries(model, ownFields, { ...parts, reader })
    },
  }
}

function createContentQueries(parts: ContentParts, modelOf: ModelOf): ContentQueries {
  const selections = createSelections(parts)
  return {
    fieldNames(name) {
      const model = parts.models.get(name)
      if (model === undefined) throw AppError.notFound(`content type ${name}`)
      return [...model.shownNames, ...model.inverses.keys()]
    },
    field: (type, name) => visibleField(modelOf(type), name),
    keepsDrafts: (name) => parts.draftsOf(modelOf(name).type) !== undefined,
    select: (request) => selections.select(modelOf(request.type), request),
    answerBudget: parts.answerBudget,
    forgetQueries: () => parts.plans.clear(),
  }
}
