import type { Transaction } from '../../database/database.ts'
import { AppError } from '../../http/http.ts'
import type { Entry, PendingDrafts, WriteContext, WriteOperation } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import type { CheckedPayload, PayloadChecker } from '../payload/payload.ts'
import { nextUpdatedAt, versionColumn } from '../version.ts'
import type { BatchPlace } from './batch.ts'
import { createDraftWrites } from './draft-writes.ts'
import type { Change, EntryStore } from './entry-store.ts'
import type { ReferenceChecker } from './references.ts'
import type { Referrers, Removals } from './removal.ts'
import { alreadyThere, type SingleClaims } from './single-claims.ts'
import { storedChange } from './stored-change.ts'
import { explainRemoveError, explainStoreError, restricted } from './write-errors.ts'

/** Everything that the writes of one type need; made once at the start. */
export interface WritableType {
  readonly model: EntryModel
  readonly store: EntryStore
  readonly checker: PayloadChecker
  readonly referrers: Referrers
  /** Who keeps the drafts beside its entries; undefined where there are none. */
  readonly drafts: PendingDrafts | undefined
}

export interface OperationScope {
  readonly references: ReferenceChecker
  readonly claims: SingleClaims
  readonly removals: Removals
  /** Deletes another entry in the same transaction, with its own middleware and events. */
  deleteAlong(model: EntryModel, id: number, context: WriteContext): Promise<void>
  /** Where the write is one of several that write together. */
  placeOf(context: WriteContext): BatchPlace | undefined
}

/** What is left of an operation when all middleware has run. */
export type Operation = (context: WriteContext) => Promise<Entry>

/** The innermost part of every write, for one type. */
export function createOperations(
  type: WritableType,
  scope: OperationScope,
): Record<WriteOperation, Operation> {
  const { model, store, checker, referrers } = type
  const draftWrites = createDraftWrites(type, scope)

  async function create(context: WriteContext): Promise<Entry> {
    const { tx, now, principal } = context
    const checked = checkCreation(context)
    const payload = { ...checked, columns: { ...checked.columns, ...context.columns } }
    await scope.references.checkUnguarded(model, payload.references, principal, tx)
    if (context.isSingleClaimed) await claim(tx)
    context.event = 'create'
    return storing(payload.references, () => store.insert(payload, now, tx))
  }

  function checkCreation({ data, now, inherited, problems }: WriteContext): CheckedPayload {
    const found = [...problems]
    try {
      const payload = checker.forCreate(data, now, inherited)
      if (found.length === 0) return payload
    } catch (error) {
      if (found.length === 0 || !(error instanceof AppError)) throw error
      found.push(...(error.details ?? []))
    }
    throw AppError.invalid(found)
  }

  /** There may be an entry without a claim: it was made while a stage of another plugin saw to that. */
  async function claim(tx: Transaction): Promise<void> {
    await scope.claims.claim(model.type, tx)
    if (model.type.kind !== 'singleType' || (await store.loadSingle(tx)) === undefined) return
    throw alreadyThere(model.type)
  }

  async function update(context: WriteContext): Promise<Entry> {
    const { tx, principal } = context
    const before = beforeOf(context)
    const change = changeOf(context, before)
    const { columns, links, references } = change
    if (Object.keys(columns).length === 0 && links.size === 0) return before
    if (context.isDraftWrite) return draftWrites.save(context, change)
    await scope.references.checkUnguarded(model, references, principal, tx)
    context.event = 'update'
    return storing(references, () => write(context, { columns, links }))
  }

  function changeOf({ data, isRepair, linked }: WriteContext, before: Entry): CheckedPayload {
    if (isRepair) return { ...storedChange(model, data), references: new Map() }
    const change = checker.forUpdate(data, before)
    return linked === undefined ? change : { ...change, references: only(linked, change.references) }
  }

  async function storing(references: Parameters<typeof explainStoreError>[2], work: () => Promise<Entry>) {
    try {
      return await work()
    } catch (error) {
      throw explainStoreError(error, model, references)
    }
  }

  async function remove(context: WriteContext): Promise<Entry> {
    const { tx } = context
    const before = beforeOf(context)
    // Deleting another entry in the same transaction may have taken this one along.
    if (!scope.removals.begin(model, before.id, tx)) return before
    context.event = 'delete'
    if (context.isSingleClaimed) await scope.claims.release(model.type, tx)
    if (model.type.options.softDelete) return softDelete(context, before)
    await store.seal(before.id, tx)
    for (const { model: other, findIds } of referrers.cascading) {
      for (const id of await findIds(before.id, tx)) {
        if (!scope.removals.hasBegun(other, id, tx)) await scope.deleteAlong(other, id, context)
      }
    }
    try {
      await store.remove(before.id, tx)
    } catch (error) {
      throw explainRemoveError(error, model)
    }
    return before
  }

  async function softDelete(context: WriteContext, before: Entry): Promise<Entry> {
    const { tx, now } = context
    if (await referrers.isRestricted(before.id, tx)) throw restricted(model)
    await store.update(before, { columns: touched(context, { deleted_at: now }) }, tx)
    return before
  }

  async function restore(context: WriteContext): Promise<Entry> {
    const before = beforeOf(context)
    context.event = 'update'
    if (context.isSingleClaimed) await claim(context.tx)
    const change = { columns: touched(context, { deleted_at: null }) }
    return storing(new Map(), () => store.update(before, change, context.tx))
  }

  async function publish(context: WriteContext): Promise<Entry> {
    const before = beforeOf(context)
    const publishedAt = String(context.data.publishedAt ?? context.now)
    const isScheduled = publishedAt > context.now
    const isPublic = context.data.publishedAt === undefined && isPublishedAt(before, context.now)
    const isUnchanged = isPublic || before.published_at === publishedAt
    if (isUnchanged && context.draft === undefined) return before
    const draft = await draftWrites.changeOf(context)
    context.event = isScheduled ? 'update' : 'publish'
    // What is public keeps its time of publication: a draft corrects it, and does not make it news.
    const columns = { ...draft.columns, published_at: isPublic ? before.published_at : publishedAt }
    const entry = await storing(draft.references, () => write(context, { columns, links: draft.links }))
    context.draft = undefined
    return entry
  }

  async function unpublish(context: WriteContext): Promise<Entry> {
    const before = beforeOf(context)
    if (before.published_at === null) return before
    context.event = 'unpublish'
    return write(context, { columns: { published_at: null }, links: noLinks })
  }

  /** Alone, or together with others. A publication takes the draft along. */
  async function write(context: WriteContext, { columns, links }: Required<Change>): Promise<Entry> {
    const before = beforeOf(context)
    const change = { columns: touched(context, columns), links }
    const ends = context.operation === 'publish' && context.draft !== undefined
    const place = scope.placeOf(context)
    if (place !== undefined) return place.update(before, change, ends)
    const entry = await store.update(before, change, context.tx)
    if (ends) await type.drafts?.remove(model.type, [before.id], context.tx)
    return entry
  }

  return { create, update, delete: remove, restore, publish, unpublish, discard: draftWrites.discard }
}

/** Whether an entry of a type with drafts is published at a moment. */
export function isPublishedAt(entry: Entry, now: string): boolean {
  return typeof entry.published_at === 'string' && entry.published_at <= now
}

const noLinks: ReadonlyMap<string, readonly number[]> = new Map()

export function beforeOf({ before, type, operation }: WriteContext): Entry {
  if (before === undefined) throw new Error(`${operation} of ${type.name} without the entry as it was`)
  return before
}

/** What is linked already may be hidden from whoever links another entry; its ids are not theirs to be judged by. */
function only(linked: number, references: CheckedPayload['references']): CheckedPayload['references'] {
  return new Map([...references].map(([type, items]) => [type, items.filter(({ id }) => id === linked)]))
}

function touched(context: WriteContext, columns: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { now, draft } = context
  const before = beforeOf(context)
  // Behind the draft as well: whoever saw the entry with its draft has an older version then.
  const moved = nextUpdatedAt(now, before)
  return {
    ...columns,
    ...context.columns,
    [versionColumn]:
      draft === undefined ? moved : nextUpdatedAt(moved, { ...before, [versionColumn]: draft.updatedAt }),
  }
}
