import type { PluginContext } from '../../../kernel/index.ts'
import { andThen } from '../../../kernel/index.ts'
import type { AccountWriteListener, Auth } from '../../accounts/auth/auth.ts'
import type { SchemaRecord, UniqueWaits } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { AnswerBudget } from './answer-budget.ts'
import type { BatchRecorder } from './batch-recorder.ts'
import { createReads, type ModelOf, type OpenModel, servedModels } from './content-reads.ts'
import type { PendingDraft } from './drafts/pending-drafts.ts'
import { addedFieldsOf } from './entry/added-fields.ts'
import type { Entry } from './entry/entry.ts'
import type { ReferenceCheck } from './entry/entry-extensions.ts'
import type { EntryModel } from './entry/entry-model.ts'
import { fittingValue } from './entry/fitting-value.ts'
import { followAccounts } from './follow-accounts.ts'
import { createGuard, type Guard, guardedMethods, unguardedMethods } from './guards.ts'
import { type OfferedOperation, offerOperations } from './operations/offered-operations.ts'
import type { OperationService } from './operations/operation.ts'
import type { BulkWrites, ContentWrites, Trash } from './operations/operations.ts'
import type { PageLimits } from './page-limits.ts'
import type { PlanDeps, ReadPlans } from './read/read-plans.ts'
import { Reader } from './read/reader.ts'
import { createSelections, visibleField } from './read/selection.ts'
import { createSingleIds } from './read/single-ids.ts'
import { visibleEntries } from './read/visible-entries.ts'
import type { ReadGate } from './read-gate.ts'
import type { ContentQueries } from './services/content-queries-service.ts'
import type { Content, UnguardedContent } from './services/content-service.ts'
import type { Guarded } from './services/guarded-writes.ts'
import type { StoredEntries } from './services/stored-entries-service.ts'
import { createSystemEntries } from './system-entries.ts'
import { assertStaysComplete } from './write/assert-complete.ts'
import { createStoredWrites, createWriteDeps, type WriteContributions } from './write/create-write-deps.ts'
import type { WriteDeps } from './write/write-deps.ts'

/** Dependencies of the content services. */
export interface ContentParts extends PlanDeps {
  readonly auth: Auth
  readonly schemas: Schemas
  readonly plans: ReadPlans
  readonly emit: PluginContext['emit']
  readonly schemaRecord: SchemaRecord
  readonly uniqueWaits: UniqueWaits
  /** Limits of one answer under the current settings. */
  readonly answerBudget: () => AnswerBudget
  readonly pageLimits: (type?: ContentType) => PageLimits
  readonly readGate: () => ReadGate | undefined
  /** Contributed by other plugins; complete once all of them have booted. */
  readonly checks: () => readonly ReferenceCheck[]
  readonly contributions: () => WriteContributions
  readonly recordBatch: BatchRecorder
}

/** The services that the content plugin provides. */
export interface ContentServices {
  readonly content: Content
  readonly bulkWrites: Guarded<BulkWrites>
  readonly trash: Guarded<Trash>
  readonly storedEntries: StoredEntries
  readonly contentQueries: ContentQueries
  readonly followAccounts: AccountWriteListener
  readonly operations: readonly OfferedOperation[]
  readonly writes: WriteDeps
}

export function composeContent(parts: ContentParts): ContentServices {
  const singles = createSingleIds(parts)
  const reader = new Reader({ ...parts, singles })
  const writes = createWriteDeps({ ...parts, singles })
  const modelOf = servedModels(parts.models)
  const guard = createGuard(parts.auth)
  const guardedModel = (name: string, principal: Principal) => {
    guard(principal, name, 'read')
    return modelOf(name)
  }
  const readsOf = (open: OpenModel) => (budgetOf: () => AnswerBudget) =>
    createReads({ open, modelOf, reader, readStages: parts.readStages }, budgetOf)
  const reads = { unguarded: readsOf(modelOf), guarded: readsOf(guardedModel) }
  const unguarded: UnguardedContent = {
    ...reads.unguarded(parts.answerBudget),
    ...unguardedMethods<ContentWrites>('content', writes),
    within: (budget = parts.answerBudget()) => reads.unguarded(() => budget),
    singleId: (name, query) =>
      andThen(singles.ofWrite(modelOf(name), { query }, parts.database), ({ id }) => id),
  }
  const content: Content = {
    ...reads.guarded(parts.answerBudget),
    ...guardedMethods<ContentWrites>('content', writes),
    within: (budget = parts.answerBudget()) => reads.guarded(() => budget),
    unguarded,
  }
  return {
    content,
    bulkWrites: guarded<BulkWrites>('bulkWrites', writes),
    trash: guarded<Trash>('trash', writes),
    operations: offerOperations(writes, parts.recordBatch),
    storedEntries: { ...createStoredWrites(writes), ...storedReads(parts, { reader, writes, modelOf }) },
    contentQueries: createContentQueries(parts, modelOf, guard),
    followAccounts: followAccounts(writes),
    writes,
  }
}

function guarded<Methods>(service: OperationService, writes: WriteDeps): Guarded<Methods> {
  const unguarded = unguardedMethods<Methods>(service, writes)
  return { ...guardedMethods<Methods>(service, writes), unguarded }
}

const noDrafts: ReadonlyMap<number, PendingDraft> = new Map()

interface StoredReadDeps {
  readonly reader: Reader
  readonly writes: WriteDeps
  readonly modelOf: ModelOf
}

/** The read-only part of `StoredEntries`. */
function storedReads(
  parts: ContentParts,
  { reader, writes, modelOf }: StoredReadDeps,
): Pick<StoredEntries, 'drafts' | 'assertStaysComplete' | 'fitToSchema' | 'shownTo' | 'systemEntries'> {
  return {
    drafts(name, ids, on) {
      const { type } = modelOf(name)
      return ids.length === 0 ? noDrafts : (parts.draftsOf(type)?.load(type, ids, on) ?? noDrafts)
    },
    assertStaysComplete: (name, entry, change) => assertStaysComplete(writes.typeNamed(name), entry, change),
    fitToSchema(name, values) {
      for (const field of modelOf(name).stored) {
        if (!Object.hasOwn(values, field.name)) continue
        const fitting = fittingValue(field, values[field.name])
        if (fitting !== undefined) values[field.name] = fitting
      }
    },
    async shownTo(principal, name, states) {
      const model = modelOf(name)
      const { answers } = writes
      const known = states.map((state) => stillDeclared(model, state))
      const pruned = await answers.answersTo(principal, model, known, parts.database)
      return Promise.all(pruned.map((state) => answers.shownTo(principal, model, state)))
    },
    systemEntries(name, ownFields) {
      const model = parts.models.get(name)
      if (model?.type.system !== true) throw new Error(`${name} is not a system type`)
      return createSystemEntries(model, ownFields, { ...parts, reader })
    },
  }
}

function stillDeclared(model: EntryModel, state: Entry): Entry {
  const names = new Set(['id', ...model.shownNames])
  return Object.fromEntries(Object.entries(state).filter(([name]) => names.has(name))) as Entry
}

function createContentQueries(parts: ContentParts, modelOf: ModelOf, guard: Guard): ContentQueries {
  const selections = createSelections(parts)
  return {
    fieldNames(name) {
      const model = parts.models.get(name)
      if (model === undefined) throw AppError.notFound(`content type ${name}`)
      return [...model.shownNames, ...model.inverses.keys()]
    },
    field: (type, name) => visibleField(modelOf(type), name),
    fieldInside: (type, path) => selections.fieldInside(modelOf(type), path),
    keepsDrafts: (name) => parts.draftsOf(modelOf(name).type) !== undefined,
    takes(name, parameter) {
      const model = modelOf(name)
      const plugins = [...parts.parametersOf(model), ...parts.standInsOf(model)]
      return plugins.some(({ parameters }) => Object.hasOwn(parameters, parameter))
    },
    addedParameters: (name) =>
      Object.assign({}, ...parts.parametersOf(modelOf(name)).map(({ parameters }) => parameters)),
    addedFields: (name) => addedFieldsOf(parts.models.get(name)?.added ?? []),
    select(request) {
      guard(request.principal, request.type, 'read')
      return selections.select(modelOf(request.type), request)
    },
    visible: (type, principal, withTrash) =>
      visibleEntries(modelOf(type), { principal, isTrashSeen: withTrash !== undefined }, parts),
    answerBudget: parts.answerBudget,
    pageLimits: (name) => parts.pageLimits(name === undefined ? undefined : parts.models.get(name)?.type),
    forgetQueries: () => parts.plans.clear(),
  }
}
