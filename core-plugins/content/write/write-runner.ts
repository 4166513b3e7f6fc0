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
  entryDraftChanged,
  entryPublished,
  entryUnpublished,
  entryUpdated,
  type PendingDraft,
  type WriteContext,
  type WriteOperation,
  type WriteRequest,
  type WriteStage,
} from '../content.ts'
import { draftMark, withDraft } from '../draft-overlay.ts'
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

/** An entry that is locked for a write. */
export interface OpenedEntry {
  readonly row: Entry
  readonly draft: PendingDraft | undefined
}

/** One operation on one entry, in a transaction that is open. */
export interface Write {
  readonly operation: WriteOperation
  readonly principal: Principal
  readonly ip: string | undefined
  readonly tx: Transaction
  /** Missing for `create` only. */
  readonly opened?: OpenedEntry
  readonly data?: unknown
  /** Of an update: `data` is stored as it is, in the entry unless told that its draft is meant. */
  readonly isRepair?: boolean
  readonly isDraftWrite?: boolean
  /** Of an update that links an entry. */
  readonly linked?: number
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
  open(type: CompiledType, request: EntryWriteRequest, tx: Transaction): Promise<OpenedEntry>
  /** Entries that are locked, with the drafts beside them. */
  withDrafts(type: CompiledType, rows: readonly Entry[], tx: Transaction): Promise<OpenedEntry[]>
  /** @throws AppError 412 where the caller has not seen what the entry is by now */
  requireSeen(type: CompiledType, request: EntryWriteRequest, opened: OpenedEntry): void
  maySee(model: EntryModel, entry: Entry, principal: Principal): boolean
}

const hooks = {
  create: entryCreated,
  update: entryUpdated,
  delete: entryDeleted,
  publish: entryPublished,
  unpublish: entryUnpublished,
  draft: entryDraftChanged,
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
      drafts: scope.draftsOf(model.type),
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
    const { entry, draft } = await perform(type, write)
    const answer = await answers.answerTo(write.principal, type.model, entry, write.tx)
    return type.drafts !== undefined && seesDrafts(type.model, write.principal)
      ? { ...answer, [draftMark]: draft !== undefined }
      : answer
  }

  async function perform(
    type: CompiledType,
    write: Write,
    place?: BatchPlace,
  ): Promise<{ entry: Entry; draft: PendingDraft | undefined }> {
    const context = contextOf(type, write)
    if (context.isDraftWrite && !write.isRepair) requireDraftRights(type.model, write.principal)
    if (place !== undefined) places.set(context, place)
    const entry = shownEntry(type.model, await type.pipelines[write.operation](context))
    const { event, draft } = context
    if (event !== undefined) {
      const { principal, tx } = write
      const payload: EntryEvent = { contentType: type.model.type.name, entry, principal }
      tx.afterCommit(() => scope.emit(hooks[event], payload))
    }
    return { entry, draft }
  }

  function contextOf(type: CompiledType, write: Write): WriteContext {
    const { operation, principal, ip, tx, opened, data, isRepair = false, linked } = write
    const { now = new Date().toISOString() } = write
    const isDraftWrite = write.isDraftWrite ?? (!isRepair && goesIntoDraft(type, write, now))
    return {
      type: type.model.type,
      operation,
      principal,
      ip,
      tx,
      now,
      before: isDraftWrite && opened ? withDraft(type.model, opened.row, opened.draft) : opened?.row,
      row: opened?.row,
      draft: opened?.draft,
      isDraftWrite,
      data: data as WriteContext['data'],
      event: undefined,
      isRepair,
      linked,
      columns: {},
      inherited: {},
      isSingleClaimed: true,
      problems: [],
    }
  }

  /** Who may not see drafts is told the same whether or not there is one. */
  function requireDraftRights(model: EntryModel, principal: Principal): void {
    if (seesDrafts(model, principal)) return
    const { name } = model.type
    const message = `changes of a published ${name} wait in a draft, and only those who may see drafts may write one`
    throw new AppError('FORBIDDEN', message)
  }

  async function runTogether(type: CompiledType, writes: readonly Write[], tx: Transaction): Promise<void> {
    const batch = createBatch(writes.length, type, tx)
    const results = await Promise.allSettled(
      writes.map((write, index) => perform(type, write, batch[index]).finally(() => batch[index]?.leave())),
    )
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ id: writes[index]?.opened?.row.id ?? 0, reason: result.reason }] : [],
    )
    if (failures.length > 0) throw failedTogether(type.model.type.name, failures)
  }

  async function deleteAlong(
    model: EntryModel,
    id: number,
    { principal, ip, tx }: WriteContext,
  ): Promise<void> {
    const type = typeOf(model.type.name)
    const row = await type.store.load(id, tx)
    if (row === undefined) return
    const [opened] = await withDrafts(type, [row], tx)
    await run(type, { operation: 'delete', principal, ip, tx, ...(opened && { opened }) })
  }

  async function withDrafts(type: CompiledType, rows: readonly Entry[], tx: Transaction) {
    if (type.drafts === undefined || rows.length === 0) return rows.map((row) => ({ row, draft: undefined }))
    const ids = rows.map(({ id }) => id)
    const drafts = await type.drafts.load(type.model.type, ids, tx)
    return rows.map((row) => ({ row, draft: drafts.get(row.id) }))
  }

  async function open(type: CompiledType, request: EntryWriteRequest, tx: Transaction): Promise<OpenedEntry> {
    const row = await type.store.load(request.id, tx)
    if (row === undefined || !maySee(type.model, row, request.principal)) {
      throw AppError.notFound(`${type.model.type.name} ${request.id}`)
    }
    const [opened = { row, draft: undefined }] = await withDrafts(type, [row], tx)
    requireSeen(type, request, opened)
    return opened
  }

  function requireSeen({ model }: CompiledType, request: EntryWriteRequest, { row, draft }: OpenedEntry) {
    const { ifMatch, principal } = request
    requireVersion(ifMatch, seesDrafts(model, principal) ? withDraft(model, row, draft) : row)
  }

  function seesDrafts({ type }: EntryModel, principal: Principal): boolean {
    return auth.seesDrafts(principal, type.name)
  }

  function maySee({ type }: EntryModel, entry: Entry, principal: Principal): boolean {
    if (!type.options.draftAndPublish) return true
    return auth.seesDrafts(principal, type.name) || isPublishedAt(entry, new Date().toISOString())
  }

  return { typeOf, inTransaction, run, runTogether, open, withDrafts, requireSeen, maySee }
}

/** Whether a write is one of the draft beside an entry. */
function goesIntoDraft({ drafts }: CompiledType, { operation, opened }: Write, now: string): boolean {
  if (operation === 'discard') return true
  if (operation !== 'update' || drafts === undefined || opened === undefined) return false
  return opened.draft !== undefined || isPublishedAt(opened.row, now)
}

/** Types without `timestamps` keep theirs to themselves. */
export function shownEntry(model: EntryModel, entry: Entry): Entry {
  if (model.type.options.timestamps) return entry
  const { created_at: _created, updated_at: _updated, ...shown } = entry
  return shown
}
