import { compilePipeline } from '../../../../kernel/index.ts'
import { type WriteOperation, writeOperations } from '../content-target.ts'
import type { EntryLock } from '../entry/entry-extensions.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { compilePayload } from '../payload/payload.ts'
import type { WriteStage } from '../write-middleware.ts'
import { createEntryStore } from './entry-store.ts'
import { withLocks } from './locks.ts'
import { performOperation } from './operations.ts'
import { compileReferrers } from './removal.ts'
import { keepingUnique } from './waiting-uniqueness.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'

/** What other plugins contribute to the writes of a type. */
export interface WriteContributions {
  readonly stages: readonly WriteStage[]
  readonly locks: readonly EntryLock[]
}

/** Prepares a type for writes. */
export function compileType(
  deps: WriteDeps,
  model: EntryModel,
  { stages, locks }: WriteContributions,
): WritableType {
  const pipelineOf = (operation: WriteOperation) =>
    compilePipeline(stages, { type: model.type, operation }, (context) =>
      performOperation(deps, type, context),
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
