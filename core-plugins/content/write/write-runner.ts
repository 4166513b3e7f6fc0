import { compilePipeline, type Pipeline, type PluginContext } from '../../../kernel/index.ts'
import type { Auth } from '../../auth/auth.ts'
import type { Transaction } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import {
  type ContentEvent,
  type Entry,
  type EntryEvent,
  type EntryLock,
  type EntryWriteRequest,
  entryCreated,
  entryDeleted,
  entryPublished,
  entryUnpublished,
  entryUpdated,
  type WriteContext,
  type WriteOperation,
  type WriteRequest,
  type WriteStage,
} from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import { compilePayload } from '../payload/payload.ts'
import type { ReadScope } from '../read/compiled-read.ts'
import type { SingleIds } from '../read/single-ids.ts'
import { requireVersion } from '../version.ts'
import { type BatchPlace, createBatch } from './batch.ts'
import { createEntryStore } from './entry-store.ts'
import { withLocks } from './locks.ts'
import { createOperations, isPublishedAt, type Operation, type WritableType } from './operations.ts'
import { createReferenceChecker } from './references.ts'
import { compileReferrers, createRemovals } from './removal.ts'
import { createSingleClaims } from './single-claims.ts'
import { createWriteAnswers } from './write-answers.ts'
import { BrokenReference, failedTogether } from './write-errors.ts'

export interface WriterScope extends ReadScope {
  readonly auth: Auth
  readonly emit: PluginContext['emit']
  /** Complete once all plugins have booted; asked at the first write. */
  readonly stages: () => readonly WriteStage[]
  readonly locks: () => readonly EntryLock[]
  readonly singles: SingleIds
}

/** A type with the pipelines of its writes. */
export type CompiledType = WritableType & {
  readonly pipelines: Record<WriteOperation, Pipeline<WriteContext, Entry>>
}

/** One operation on one entry, in a transaction that is open. */
export interface Write {
  readonly operation: WriteOperation
  readonly principal: Principal
  readonly ip: string | undefined
  readonly tx: Transaction
  /** Missing for `create` only. */
  readonly before?: Entry
  readonly data?: unknown
  /** Of an update: `data` is stored as it is. */
  readonly isRepair?: boolean
  /** The moment of the write; the present one unless told otherwise. */
  readonly now?: string
}

/** What all writes are made of. */
export interface WriteRunner {
  /** @throws AppError 404 */
  typeOf(name: string): CompiledType
  /** Runs in a transaction of its own, or in the one that the caller has open. */
  inTransaction<T>(request: WriteRequest, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Middleware, the operation, the event after the commit; answers the entry as the caller may see it. */
  run(type: CompiledType, write: Write): Promise<Entry>
  /** The same for many with few statements; their middleware runs at the same time. @throws AppError naming the entries */
  runTogether(type: CompiledType, writes: readonly Write[], tx: Transaction): Promise<void>
  /** Locks the entry that a write is about. @throws AppError 404, also for what the caller may not see; 412 */
  open(type: CompiledType, request: EntryWriteRequest, tx: Transaction): Promise<Entry>
  maySee(model: EntryModel, entry: Entry, principal: Principal): boolean
}

const hooks = {
  create: entryCreated,
  update: entryUpdated,
  delete: entryDeleted,
  publish: entryPublished,
  unpublish: entryUnpublished,
} as const satisfies Record<ContentEvent, { id: string }>

export function createWriteRunner(scope: WriterScope): WriteRunner {
  const { database, models, auth, schemas } = scope
  const references = createReferenceChecker(scope)
  const claims = createSingleClaims(database)
  const removals = createRemovals()
  const answers = createWriteAnswers(scope)
  const compiled = new Map<string, CompiledType>()
  const places = new WeakMap<WriteContext, BatchPlace>()

  /** Compiled at the first write of a type, since middleware may come from any plugin. */
  function typeOf(name: string): CompiledType {
    const kept = compiled.get(name)
    if (kept !== undefined) return kept
    const model = models.get(name)
    if (model === undefined || model.type.system) throw AppError.notFound(`content type ${name}`)
    const made = compileType(model)
    compiled.set(name, made)
    return made
  }

  function compileType(model: EntryModel): CompiledType {
    const type = {
      model,
      store: withLocks(createEntryStore(model, scope), model.type, scope.locks()),
      checker: compilePayload(model.type, schemas, { ignored: model.added.map(({ field }) => field) }),
      referrers: compileReferrers(model, scope),
    }
    const operations = createOperations(type, {
      ...{ references, claims, removals, deleteAlong },
      placeOf: (context) => places.get(context),
    })
    const pipelineOf = (operation: WriteOperation, core: Operation) =>
      compilePipeline(scope.stages(), { type: model.type, operation }, core)
    const pipelines = Object.fromEntries(
      Object.entries(operations).map(([operation, core]) => [
        operation,
        pipelineOf(operation as WriteOperation, core),
      ]),
    ) as CompiledType['pipelines']
    return { ...type, pipelines }
  }

  async function inTransaction<T>(request: WriteRequest, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (request.tx !== undefined) return work(request.tx)
    try {
      return await database.transaction(work)
    } catch (error) {
      if (!(error instanceof BrokenReference)) throw error
      const details = await references.findMissing(error.references, request.principal, database)
      throw details.length > 0 ? AppError.invalid(details) : error
    }
  }

  async function run(type: CompiledType, write: Write): Promise<Entry> {
    const entry = await perform(type, write)
    return answers.answerTo(write.principal, type.model, entry, write.tx)
  }

  async function perform(type: CompiledType, write: Write, place?: BatchPlace): Promise<Entry> {
    const {
      operation,
      principal,
      ip,
      tx,
      before,
      data,
      isRepair = false,
      now = new Date().toISOString(),
    } = write
    const context: WriteContext = {
      type: type.model.type,
      operation,
      principal,
      ip,
      tx,
      now,
      before,
      data: data as WriteContext['data'],
      event: undefined,
      isRepair,
      columns: {},
      inherited: {},
      isSingleClaimed: true,
      problems: [],
    }
    if (place !== undefined) places.set(context, place)
    const entry = shownEntry(type.model, await type.pipelines[operation](context))
    const { event } = context
    if (event !== undefined) {
      const payload: EntryEvent = { contentType: type.model.type.name, entry, principal }
      tx.afterCommit(() => scope.emit(hooks[event], payload))
    }
    return entry
  }

  async function runTogether(type: CompiledType, writes: readonly Write[], tx: Transaction): Promise<void> {
    const batch = createBatch(writes.length, type.store, tx)
    const results = await Promise.allSettled(
      writes.map((write, index) => perform(type, write, batch[index]).finally(() => batch[index]?.leave())),
    )
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ id: writes[index]?.before?.id ?? 0, reason: result.reason }] : [],
    )
    if (failures.length > 0) throw failedTogether(type.model.type.name, failures)
  }

  async function deleteAlong(
    model: EntryModel,
    id: number,
    { principal, ip, tx }: WriteContext,
  ): Promise<void> {
    const type = typeOf(model.type.name)
    const before = await type.store.load(id, tx)
    if (before !== undefined) await run(type, { operation: 'delete', principal, ip, tx, before })
  }

  async function open(type: CompiledType, request: EntryWriteRequest, tx: Transaction): Promise<Entry> {
    const entry = await type.store.load(request.id, tx)
    if (entry === undefined || !maySee(type.model, entry, request.principal)) {
      throw AppError.notFound(`${type.model.type.name} ${request.id}`)
    }
    requireVersion(request.ifMatch, entry)
    return entry
  }

  function maySee({ type }: EntryModel, entry: Entry, principal: Principal): boolean {
    if (!type.options.draftAndPublish) return true
    return auth.seesDrafts(principal, type.name) || isPublishedAt(entry, new Date().toISOString())
  }

  return { typeOf, inTransaction, run, runTogether, open, maySee }
}

/** Types without `timestamps` keep theirs to themselves. */
export function shownEntry(model: EntryModel, entry: Entry): Entry {
  if (model.type.options.timestamps) return entry
  const { created_at: _created, updated_at: _updated, ...shown } = entry
  return shown
}
