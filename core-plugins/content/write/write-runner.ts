import { compilePipeline, type Pipeline, type PluginContext } from '../../../kernel/index.ts'
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
  entryPurged,
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
import type { SingleIds } from '../read/single-ids.ts'
import { requireVersion } from '../version.ts'
import { type BatchPlace, createBatch } from './batch.ts'
import { createEntryStore } from './entry-store.ts'
import { withLocks } from './locks.ts'
import { createOperations, isPublishedAt, type Operation, type WritableType } from './operations.ts'
import { portionsOf } from './portions.ts'
import { createReferenceChecker, type ReferenceScope } from './references.ts'
import { createRefusals } from './refusals.ts'
import { compileReferrers, createRemovals } from './removal.ts'
import { createSingleClaims } from './single-claims.ts'
import { createWriteAnswers } from './write-answers.ts'
import { failedTogether } from './write-errors.ts'

export interface WriterScope extends ReferenceScope {
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
  /** Of a delete: past the trash, or out of it. */
  readonly isForGood?: boolean
  readonly isInTrash?: boolean
  /** Of an update that links an entry. */
  readonly linked?: number
  /** The moment of the write; the present one unless told otherwise. */
  readonly now?: string
}

/** How writes go together. */
export interface Together {
  readonly tx: Transaction
  /** What is thrown where some have failed; tells of each entry unless told otherwise. */
  readonly explain?: typeof failedTogether
}

/** What all writes are made of. */
export interface WriteRunner {
  /** @throws AppError 404 */
  typeOf(name: string): CompiledType
  /** Runs in a transaction of its own, or in the one that the caller has open. */
  inTransaction<T>(request: WriteRequest, work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Middleware, the operation, the event after the commit; answers the entry as `answer` does. */
  run(type: CompiledType, write: Write): Promise<Entry>
  /** An entry as the caller may see it, with what the read middleware has to say. */
  answer(
    type: CompiledType,
    written: { readonly entry: Entry; readonly draft: PendingDraft | undefined },
    caller: Pick<Write, 'principal' | 'tx'>,
  ): Promise<Entry>
  /** `run` for many with few statements; their middleware runs at the same time. @throws AppError naming the entries */
  runTogether(type: CompiledType, writes: readonly Write[], together: Together): Promise<void>
  /** See `Content.repairMany`. Undefined leaves an entry as it is; no field at all makes a new version of it. */
  repairTogether(
    type: CompiledType,
    repair: Pick<Write, 'principal' | 'ip' | 'tx'> & { readonly ids: readonly number[] },
    change: (entry: Entry) => Readonly<Record<string, unknown>> | undefined,
  ): Promise<void>
  /** Locks the entry that a write is about. @throws AppError 404, also for what the caller may not see; 412 */
  open(type: CompiledType, request: EntryWriteRequest, tx: Transaction): Promise<OpenedEntry>
  /** The same for a row that is locked, whoever may see it. @throws AppError 412 */
  openRow(
    type: CompiledType,
    request: EntryWriteRequest,
    row: Entry | undefined,
    tx: Transaction,
  ): Promise<OpenedEntry | undefined>
  /** Entries that are locked, with the drafts beside them. */
  withDrafts(type: CompiledType, rows: readonly Entry[], tx: Transaction): Promise<OpenedEntry[]>
  maySee(model: EntryModel, entry: Entry, principal: Principal): boolean
}

const hooks = {
  create: entryCreated,
  update: entryUpdated,
  delete: entryDeleted,
  publish: entryPublished,
  unpublish: entryUnpublished,
  draft: entryDraftChanged,
  purge: entryPurged,
} as const satisfies Record<ContentEvent, { id: string }>

export function createWriteRunner(scope: WriterScope): WriteRunner {
  const { database, models, auth, schemas } = scope
  const references = createReferenceChecker(scope)
  const explainRefusal = createRefusals({ auth, database, references })
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
      ...{ references, claims, removals, deleteAlong, detach },
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
      return await database.transaction(work, { isBrief: true })
    } catch (error) {
      throw await explainRefusal(error, request.principal)
    }
  }

  async function run(type: CompiledType, write: Write): Promise<Entry> {
    return answer(type, await perform(type, write), write)
  }

  const answer: WriteRunner['answer'] = async ({ model, drafts }, { entry, draft }, { principal, tx }) => {
    const pruned = await answers.answerTo(principal, model, entry, tx)
    const isMarked = drafts !== undefined && seesDrafts(model, principal)
    const marked = isMarked ? { ...pruned, [draftMark]: draft !== undefined } : pruned
    return answers.shownTo(principal, model, marked)
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
      isForGood: operation === 'delete' && (write.isForGood === true || !type.model.type.options.softDelete),
      isInTrash: operation === 'restore' || write.isInTrash === true,
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
    throw AppError.forbidden(message)
  }

  async function runTogether(
    type: CompiledType,
    writes: readonly Write[],
    { tx, explain = failedTogether }: Together,
  ): Promise<void> {
    const batch = createBatch(writes.length, type, tx)
    const results = await Promise.allSettled(
      writes.map((write, index) => perform(type, write, batch[index]).finally(() => batch[index]?.leave())),
    )
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ id: writes[index]?.opened?.row.id ?? 0, reason: result.reason }] : [],
    )
    if (failures.length > 0) throw explain(type.model.type.name, failures)
  }

  const repairTogether: WriteRunner['repairTogether'] = async (type, { ids, principal, ip, tx }, change) => {
    for (const portion of portionsOf(ids)) {
      const write = { operation: 'update', principal, ip, tx, isRepair: true } as const
      // Of one moment, so that they are written alike.
      const now = new Date().toISOString()
      const rows = await type.store.loadMany(portion, tx)
      const writes = (await withDrafts(type, rows, tx)).flatMap((opened) => {
        const data = change(opened.row)
        return data === undefined ? [] : [{ ...write, now, opened, data }]
      })
      if (writes.length > 0) await runTogether(type, writes, { tx })
    }
  }

  /** The database would do so by itself, and nobody would learn of it. */
  async function detach({ referrers }: WritableType, targetId: number, context: WriteContext) {
    const { principal, ip, tx } = context
    for (const { model, findIds, release } of referrers.losing) {
      const ids = (await findIds(targetId, tx)).filter((id) => !removals.hasBegun(model, id, tx))
      if (ids.length === 0) continue
      await release(targetId, tx)
      await repairTogether(typeOf(model.type.name), { ids, principal, ip, tx }, () => ({}))
    }
  }

  async function deleteAlong(
    model: EntryModel,
    id: number,
    { principal, ip, tx, isForGood }: WriteContext,
  ): Promise<void> {
    const type = typeOf(model.type.name)
    const present = await type.store.load(id, tx)
    const isInTrash = present === undefined
    // No row can stay where the one that it must go along with goes.
    const row = isInTrash && isForGood ? await type.store.loadDeleted(id, tx) : present
    if (row === undefined) return
    const [opened = { row, draft: undefined }] = await withDrafts(type, [row], tx)
    await run(type, { operation: 'delete', principal, ip, tx, opened, isForGood, isInTrash })
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
    return (await openRow(type, request, row, tx)) ?? { row, draft: undefined }
  }

  const openRow: WriteRunner['openRow'] = async (type, request, row, tx) => {
    const [opened] = row === undefined ? [] : await withDrafts(type, [row], tx)
    if (opened !== undefined) requireSeen(type, request, opened)
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

  return {
    typeOf,
    inTransaction,
    run,
    answer,
    runTogether,
    repairTogether,
    open,
    openRow,
    withDrafts,
    maySee,
  }
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
