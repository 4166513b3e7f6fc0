import type { Entry } from '../entry/entry.ts'
import { nextUpdatedAt, versionColumn } from '../entry/version.ts'
import { unstorable } from '../entry/waiting-conversion.ts'
import type { CheckedPayload } from '../payload/payload.ts'
import type { ChangeContext, DeleteContext, WriteContext } from '../write-context.ts'
import { aheadRow } from './ahead-row.ts'
import { batchPlace } from './batch.ts'
import type { Change } from './change.ts'
import { keptTimes } from './kept-times.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'
import { type Attempt, explainStoreError } from './write-errors.ts'

/**
 * @throws AppError 400 with all problems of a payload: its shape, what stages reported, and its references
 */
export function assertPayload(
  { references: checker }: WriteDeps,
  { model }: WritableType,
  { principal, tx, additions }: WriteContext,
  { problems, columns, references }: Pick<CheckedPayload, 'problems' | 'columns' | 'references'>,
): Promise<void> {
  const payload = {
    problems: [...additions.problems, ...problems, ...unstorable(model, columns)],
    references,
  }
  return checker.check(payload, { model, principal, queries: tx })
}

/** Writes a checked change to the row, alone or as part of a batch. A publication removes the draft. */
export async function storeChange(
  { store, model, drafts }: WritableType,
  context: ChangeContext,
  { columns, links }: Required<Change>,
): Promise<Entry> {
  const { before, operation, stored, tx } = context
  const change = { columns: versioned(context, columns), links }
  const ahead = context.annotations.get(aheadRow)
  if (ahead !== undefined) {
    ahead.isReached = true
    if (links.size === 0 && ahead.isAs(change.columns)) return store.passAhead(before, change, tx)
  }
  const endsDraft = operation === 'publish' && stored.draft !== undefined
  const place = context.annotations.get(batchPlace)
  if (place !== undefined) return place.update(before, change, endsDraft)
  const entry = await store.update(before, change, tx)
  if (endsDraft) await drafts?.remove(model.type, [before.id], tx)
  return entry
}

/** Adds the columns set by stages, and the next version. */
export function versioned(
  { now, before, stored: { draft }, additions, annotations }: ChangeContext | DeleteContext,
  columns: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const moved = nextUpdatedAt(annotations.get(keptTimes)?.updatedAt ?? now, before)
  // Later than the draft as well, so that the version of a caller who read the entry with its draft is
  // outdated.
  const next =
    draft === undefined ? moved : nextUpdatedAt(moved, { ...before, [versionColumn]: draft.updatedAt })
  return { ...columns, ...additions.columns, [versionColumn]: next }
}

/** Translates database errors into errors for the client. */
export async function explained(
  { model }: WritableType,
  attempt: Attempt,
  work: () => Promise<Entry>,
): Promise<Entry> {
  try {
    return await work()
  } catch (error) {
    throw explainStoreError(error, model, attempt)
  }
}
