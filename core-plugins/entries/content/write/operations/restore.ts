import { AppError } from '../../../../foundation/http/http.ts'
import type { Entry } from '../../entry/entry.ts'
import type { ChangeContext } from '../../write-context.ts'
import type { EntryWriteRequest } from '../../write-request.ts'
import { assertStaysComplete } from '../assert-complete.ts'
import { claimSingle } from '../claim-single.ts'
import { changeContext } from '../contexts.ts'
import { runWrite } from '../run-write.ts'
import { explained, versioned } from '../store-change.ts'
import { storedChange } from '../stored-change.ts'
import { openRow } from '../stored-entries.ts'
import { inTransaction } from '../transaction.ts'
import type { WritableType, WriteDeps } from '../write-deps.ts'

/** See `Trash.restore`. */
export function restoreEntry(deps: WriteDeps, request: EntryWriteRequest): Promise<Entry> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, async (tx) => {
    const row = await type.store.loadDeleted(request.id, tx)
    if (row === undefined) throw AppError.notFound(`deleted ${request.type} ${request.id}`)
    const stored = await openRow(deps, type, request, row, tx)
    return runWrite(deps, type, changeContext(type, 'restore', { ...request, tx }, stored))
  })
}

/** The core of a restore, behind all middleware. */
export async function takeFromTrash(
  deps: WriteDeps,
  type: WritableType,
  context: ChangeContext,
): Promise<Entry> {
  const { before, tx, additions, outcome } = context
  // It takes over what its other versions share by now.
  if ((before.published_at ?? null) !== null) assertStaysComplete(type, before, additions.inherited ?? {})
  outcome.event = 'update'
  if (additions.isSingleClaimed) await claimSingle(deps, type, tx)
  const { columns, links } = storedChange(type.model, additions.inherited)
  const change = { columns: versioned(context, { ...columns, deleted_at: null }), links }
  return explained(type, { references: new Map(), before }, () => type.store.update(before, change, tx))
}
