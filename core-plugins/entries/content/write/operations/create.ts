import type { Entry } from '../../entry/entry.ts'
import type { CreateContext } from '../../write-context.ts'
import type { WriteRequest } from '../../write-request.ts'
import { aheadRow } from '../ahead-row.ts'
import { assertPayload } from '../assert-payload.ts'
import { batchPlace } from '../batch.ts'
import { claimSingle } from '../claim-single.ts'
import { createContext } from '../contexts.ts'
import { keptTimes } from '../kept-times.ts'
import { runWrite } from '../run-write.ts'
import { explained } from '../store-change.ts'
import { inTransaction } from '../transaction.ts'
import type { WritableType, WriteDeps } from '../write-deps.ts'
import { explainStoreError } from '../write-errors.ts'

/** See `ContentWrites.create`. */
export function createEntry(deps: WriteDeps, request: WriteRequest, data: unknown): Promise<Entry> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, (tx) =>
    runWrite(deps, type, createContext(type, { ...request, tx }, data)),
  )
}

/** The core of a create, behind all middleware. */
export async function insertEntry(
  deps: WriteDeps,
  type: WritableType,
  context: CreateContext,
): Promise<Entry> {
  const { tx, now, additions, annotations, outcome } = context
  const { model, store, checker } = type
  const checked = checker.forCreate(await wholeData(deps, type, context), now, additions.inherited)
  const columns = { ...checked.columns, ...additions.columns }
  const ahead = annotations.get(aheadRow)
  const payload = { ...checked, columns, times: annotations.get(keptTimes), ahead: ahead?.columns }
  await assertPayload(deps, type, context, payload)
  if (additions.isSingleClaimed) await claimSingle(deps, type, tx)
  outcome.event = 'create'
  // Links are inserted after the entry, with the next statement of the transaction.
  const explain = (error: unknown) => explainStoreError(error, model, payload)
  const place = annotations.get(batchPlace)
  if (place === undefined) return explained(type, payload, () => store.insert(payload, { now, tx, explain }))
  const entry = await place.insert(payload, { now, explain })
  if (ahead !== undefined) ahead.inserted = { entry, columns: { ...columns, ...ahead.columns } }
  return entry
}

/** What it inherits is shown with the entry that it comes from, and may be sent back as it was shown. */
function wholeData({ hiddenLinks }: WriteDeps, { model, checker }: WritableType, context: CreateContext) {
  const { data, additions, principal, tx } = context
  return hiddenLinks.keep(data, { model, checker, before: additions.inherited, principal, queries: tx })
}
