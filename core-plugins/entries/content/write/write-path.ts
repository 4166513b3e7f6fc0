import type { TSchema } from 'typebox'
import { isPromise } from '../../../../kernel/index.ts'
import type { Transaction, TransactionKind } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { draftMark } from '../drafts/draft-overlay.ts'
import type { PendingDraft } from '../drafts/pending-drafts.ts'
import type { Entry } from '../entry/entry.ts'
import {
  type ContentEvent,
  type EntryEvent,
  entryCreated,
  entryDeleted,
  entryDraftChanged,
  entryPublished,
  entryPurged,
  entryUnpublished,
  entryUpdated,
} from '../entry/entry-events.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { EntryOperation, OperationOffer } from '../operations/operation.ts'
import { repairWrite } from '../write-annotation.ts'
import type { WriteContext } from '../write-context.ts'
import type { WriteRequest } from '../write-request.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'

type Prepared<
  Request extends WriteRequest,
  Rest extends readonly unknown[],
  Context extends WriteContext,
> = Pick<EntryOperation<Request, Rest, Context>, 'assertPossible' | 'prepare' | 'perform'>

/** Defines an operation with middleware of its own; `writeEntry` runs it. */
export function defineEntryOperation<
  Request extends WriteRequest,
  Rest extends readonly unknown[],
  Context extends WriteContext,
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
>(
  operation: Prepared<Request, Rest, Context> & OperationOffer<Request, Rest, Entry, Params, Query, Body>,
): EntryOperation<Request, Rest, Context> {
  const run: EntryOperation<Request, Rest, Context>['run'] = (deps, request, ...rest) =>
    writeEntry(deps, operation, request, rest)
  return { ...operation, run } as unknown as EntryOperation<Request, Rest, Context>
}

/** Handles an authorized request from the transaction to the answer. `perform` runs inside the type's middleware. */
function writeEntry<
  Request extends WriteRequest,
  Rest extends readonly unknown[],
  Context extends WriteContext,
>(
  deps: WriteDeps,
  { assertPossible, prepare }: Prepared<Request, Rest, Context>,
  request: Request,
  rest: Rest,
): Promise<Entry> {
  const type = deps.typeNamed(request.type)
  assertPossible?.(type, request)
  return inTransaction(deps, request, (tx) => {
    const context = prepare(deps, type, { ...request, tx }, ...rest)
    return isPromise(context)
      ? context.then((prepared) => runWrite(deps, type, prepared))
      : runWrite(deps, type, context)
  })
}

/** Runs in a new transaction, or in the one that the caller has open. */
export async function inTransaction<T>(
  { database, explainRefusal }: WriteDeps,
  request: WriteRequest,
  work: (tx: Transaction) => Promise<T>,
  kind: TransactionKind = { isBrief: true },
): Promise<T> {
  if (request.tx !== undefined) return work(request.tx)
  try {
    return await database.transaction(work, kind)
  } catch (error) {
    throw await explainRefusal(error, request.principal)
  }
}

/**
 * Runs the middleware and the operation, and the event after the commit; returns the entry as `answerWritten`
 * does.
 */
export async function runWrite(deps: WriteDeps, type: WritableType, context: WriteContext): Promise<Entry> {
  const entry = await performWrite(deps, type, context)
  return answerWritten(deps, type, { entry, draft: context.outcome.draft }, context)
}

/** `runWrite` without an answer for the caller: returns the stored entry. */
export async function performWrite(
  deps: WriteDeps,
  type: WritableType,
  context: WriteContext,
): Promise<Entry> {
  if (context.isDraftWrite && !context.annotations.has(repairWrite)) assertDraftRights(deps, context)
  const entry = shownEntry(type.model, await type.pipelines[context.operation](context))
  const { event } = context.outcome
  if (event !== undefined) {
    const { principal, tx } = context
    const payload: EntryEvent = { contentType: type.model.type.name, entry, principal }
    tx.afterCommit(() => deps.emit(hooks[event], payload))
  }
  return entry
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

/** Callers who may not see drafts get the same error whether or not one exists. */
function assertDraftRights({ auth }: WriteDeps, { type: { name }, principal }: WriteContext): void {
  if (auth.seesDrafts(principal, name)) return
  const message = `changes to a published ${name} go to a draft, and only callers who may see drafts may write one`
  throw AppError.forbidden(message)
}

/** An entry as the caller may see it, after the read middleware. */
export async function answerWritten(
  { answers, auth }: WriteDeps,
  { model, drafts }: WritableType,
  { entry, draft }: { readonly entry: Entry; readonly draft: PendingDraft | undefined },
  { principal, tx }: Pick<WriteContext, 'principal' | 'tx'>,
): Promise<Entry> {
  const pruned = await answers.answerTo(principal, model, entry, tx)
  const isMarked = drafts !== undefined && auth.seesDrafts(principal, model.type.name)
  const marked = isMarked ? { ...pruned, [draftMark]: draft !== undefined } : pruned
  return answers.shownTo(principal, model, marked)
}

/** Omits the timestamps of types without `timestamps`. */
export function shownEntry(model: EntryModel, entry: Entry): Entry {
  if (model.type.options.timestamps) return entry
  const { created_at: _created, updated_at: _updated, ...shown } = entry
  return shown
}
