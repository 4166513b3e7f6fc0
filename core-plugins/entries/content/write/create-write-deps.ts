import { compilePipeline, type PluginContext } from '../../../../kernel/index.ts'
import type { Auth } from '../../../accounts/auth/auth.ts'
import type { SchemaRecord, UniqueWaits } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { type WriteOperation, writeOperations } from '../content-target.ts'
import type { EntryLock, ReferenceCheck } from '../entry/entry-extensions.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { EntryOperation } from '../operations/operation.ts'
import { operations } from '../operations/operations.ts'
import { compilePayload } from '../payload/payload.ts'
import type { ReadDeps } from '../read/read-deps.ts'
import type { SingleIds } from '../read/single-ids.ts'
import type { StoredEntries } from '../services/stored-entries-service.ts'
import type { WriteStage } from '../write-middleware.ts'
import { createEntryStore } from './entry-store.ts'
import { HiddenLinks } from './hidden-links/hidden-links.ts'
import { withLocks } from './locks.ts'
import { ReferenceChecker } from './references.ts'
import { createRefusals } from './refusals.ts'
import { compileReferrers, createRemovals } from './removal.ts'
import { repairEntries, repairEntry } from './repair.ts'
import { createSingleClaims } from './single-claims.ts'
import { keepingUnique } from './waiting-uniqueness.ts'
import { createWriteAnswers } from './write-answers.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'

/** What other plugins contribute to the writes of a type. */
export interface WriteContributions {
  readonly stages: readonly WriteStage[]
  readonly locks: readonly EntryLock[]
}

export interface WriteParts extends ReadDeps {
  readonly auth: Auth
  readonly emit: PluginContext['emit']
  readonly singles: SingleIds
  readonly schemaRecord: SchemaRecord
  readonly uniqueWaits: UniqueWaits
  readonly checks: () => readonly ReferenceCheck[]
  /** Complete once all plugins have booted; called at the first write of each type. */
  readonly contributions: () => WriteContributions
}

export function createWriteDeps(parts: WriteParts): WriteDeps {
  const references = new ReferenceChecker(parts)
  const types = new Map<string, WritableType>()
  let { revision } = parts.conversions
  const deps: WriteDeps = {
    ...parts,
    references,
    hiddenLinks: new HiddenLinks(parts),
    claims: createSingleClaims(parts.database),
    removals: createRemovals(),
    answers: createWriteAnswers(parts),
    explainRefusal: createRefusals({ ...parts, references }),
    typeNamed(name) {
      // Statements depend on the types of columns, which a finished conversion changes.
      if (revision !== parts.conversions.revision) types.clear()
      revision = parts.conversions.revision
      const kept = types.get(name)
      if (kept !== undefined) return kept
      const model = parts.models.get(name)
      if (model === undefined || model.type.system) throw AppError.notFound(`content type ${name}`)
      const made = compileType(deps, model, parts.contributions())
      types.set(name, made)
      return made
    },
  }
  return deps
}

/** The operations with middleware, by the names that middleware knows. */
const performers: Readonly<Record<WriteOperation, Pick<EntryOperation, 'perform'>>> = operations

/** Prepares a type for writes. */
function compileType(
  deps: WriteDeps,
  model: EntryModel,
  { stages, locks }: WriteContributions,
): WritableType {
  const pipelineOf = (operation: WriteOperation) =>
    compilePipeline(stages, { type: model.type, operation }, (context) =>
      performers[operation].perform(deps, type, context),
    )
  const type: WritableType = {
    model,
    store: withLocks(keepingUnique(createEntryStore(model, deps), model, deps), model.type, locks),
    checker: compilePayload(model.type, deps.schemas, { ignored: model.added.map(({ field }) => field) }),
    referrers: compileReferrers(model, deps),
    drafts: deps.draftsOf(model.type),
    pipelines: Object.fromEntries(
      writeOperations.map((operation) => [operation, pipelineOf(operation)]),
    ) as WritableType['pipelines'],
  }
  return type
}

/** The write part of `StoredEntries`. */
export function createStoredWrites(
  deps: WriteDeps,
): Pick<StoredEntries, 'lock' | 'read' | 'repair' | 'repairMany'> {
  return {
    lock: ({ type, tx }, ids) => deps.typeNamed(type).store.loadMany(ids, tx),
    read: (type, ids, on) => deps.typeNamed(type).store.readMany(ids, on),
    repair: (request, change) => repairEntry(deps, request, change),
    repairMany: (request, ids, change) => repairEntries(deps, request, ids, change),
  }
}
