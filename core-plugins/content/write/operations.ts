import type { Transaction } from '../../database/database.ts'
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
import { type Attempt, explainRemoveError, explainStoreError, restricted } from './write-errors.ts'

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
  /** Takes the entry out of those that lose it and stay, which are changed by that. */
  detach(type: WritableType, targetId: number, context: WriteContext): Promise<void>
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
    const { tx, now, data, inherited } = context
    const checked = checker.forCreate(data, now, inherited)
    const payload = { ...checked, columns: { ...checked.columns, ...context.columns } }
    await requireSound(payload, context)
    if (context.isSingleClaimed) await claim(tx)
    context.event = 'create'
    const explain = (error: unknown) => explainStoreError(error, model, payload)
    return storing(payload, () => store.insert(payload, { now, tx, explain }))
  }

  function requireSound({ problems, references }: CheckedPayload, context: WriteContext): Promise<void> {
    const { principal, tx: queries } = context
    const payload = { problems: [...context.problems, ...problems], references }
    return scope.references.check(payload, { model, principal, queries })
  }

  /** There may be an entry without a claim: it was made while a stage of another plugin saw to that. */
  async function claim(tx: Transaction): Promise<void> {
    await scope.claims.claim(model.type, tx)
    if (model.type.kind !== 'singleType' || (await store.loadSingle(tx)) === undefined) return
    throw alreadyThere(model.type)
  }

  async function update(context: WriteContext): Promise<Entry> {
    const before = beforeOf(context)
    const change = changeOf(context, before)
    const { problems, columns, links, references } = change
    const isEmpty = Object.keys(columns).length === 0 && links.size === 0
    if (isEmpty && problems.length === 0 && !context.isRepair) return before
    if (context.isDraftWrite) return draftWrites.save(context, change)
    await requireSound(change, context)
    context.event = 'update'
    return storing({ references, columns, before }, () => write(context, { columns, links }))
  }

  function changeOf({ data, isRepair, linked, principal }: WriteContext, before: Entry): CheckedPayload {
    if (isRepair) return { ...storedChange(model, data), problems: [], references: new Map() }
    if (linked === undefined) {
      return checker.forUpdate(scope.references.withoutClosed(model, data, principal), before)
    }
    const change = checker.forUpdate(data, before)
    return { ...change, references: only(linked, change.references) }
  }

  async function storing(attempt: Attempt, work: () => Promise<Entry>) {
    try {
      return await work()
    } catch (error) {
      throw explainStoreError(error, model, attempt)
    }
  }

  async function remove(context: WriteContext): Promise<Entry> {
    const { tx } = context
    const before = beforeOf(context)
    // Deleting another entry in the same transaction may have taken this one along.
    if (!scope.removals.begin(model, before.id, tx)) return before
    const { isForGood, isInTrash, isSingleClaimed } = context
    context.event = isInTrash ? 'purge' : 'delete'
    if (isSingleClaimed && !isInTrash) await scope.claims.release(model.type, tx)
    if (!isForGood) return softDelete(context, before)
    await store.seal(before.id, tx)
    await deleteCascading(context, before)
    await scope.detach(type, before.id, context)
    try {
      await store.remove(before.id, tx)
    } catch (error) {
      throw explainRemoveError(error, model)
    }
    return before
  }

  async function deleteCascading(context: WriteContext, { id: targetId }: Entry): Promise<void> {
    const { tx } = context
    for (const { model: other, findIds } of referrers.cascading) {
      for (const id of await findIds(targetId, tx)) {
        if (!scope.removals.hasBegun(other, id, tx)) await scope.deleteAlong(other, id, context)
      }
    }
  }

  async function softDelete(context: WriteContext, before: Entry): Promise<Entry> {
    const { tx, now } = context
    if (await referrers.isRestricted(before.id, tx)) throw restricted(model)
    await deleteCascading(context, before)
    await store.update(before, { columns: touched(context, { deleted_at: now }) }, tx)
    return before
  }

  async function restore(context: WriteContext): Promise<Entry> {
    const before = beforeOf(context)
    context.event = 'update'
    if (context.isSingleClaimed) await claim(context.tx)
    const { columns, links } = storedChange(model, context.inherited)
    const change = { columns: touched(context, { ...columns, deleted_at: null }), links }
    return storing({ references: new Map(), before }, () => store.update(before, change, context.tx))
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
    const attempt = { ...draft, before }
    const entry = await storing(attempt, () => write(context, { columns, links: draft.links }))
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
