import { Type } from 'typebox'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { deleteContext } from '../write/contexts.ts'
import type { Referrers } from '../write/removal.ts'
import { repairTogether } from '../write/repair.ts'
import { versioned } from '../write/store-change.ts'
import { openEntry, withItsDraft } from '../write/stored-entries.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import { explainRemoveError, StillReferred } from '../write/write-errors.ts'
import { defineEntryOperation, runWrite } from '../write/write-path.ts'
import type { DeleteContext } from '../write-context.ts'
import type { EntryWriteRequest } from '../write-request.ts'
import type { InTransaction } from './operation.ts'
import { purge } from './purge.ts'
import { entryParams, entryWrite } from './route-requests.ts'

/** See `ContentWrites.delete`. */
export const deleteOne = defineEntryOperation({
  service: 'content',
  right: 'delete',
  prepare: async (deps, type, write: InTransaction<EntryWriteRequest>) =>
    deleteContext(type, write, await openEntry(deps, type, write, write.tx)),
  perform: removeEntry,
  route: {
    name: 'entries.delete',
    tool: {
      name: 'delete_entry',
      description: 'Deletes an entry, into the trash if its type has one.',
    },
    method: 'DELETE',
    path: '/:id',
    summary: 'Delete an entry',
    params: entryParams,
    takesIfMatch: true,
    query: Type.Object({ permanent: Type.Optional(Type.Boolean()) }),
    document: (type) => ({
      summary: `Delete ${type.displayName}`,
      ...(type.options.softDelete ? { query: Type.Object(permanentParameter) } : {}),
    }),
    handler(request, run, deps) {
      if (request.query.permanent !== true) return run(entryWrite(request))
      if (!deps.auth.isAdministrator(request.principal)) deps.auth.refuse(request.principal)
      return purge.run(deps, entryWrite(request))
    },
  },
})

const permanentParameter = {
  permanent: Type.Optional(
    Type.Boolean({ description: 'Delete permanently, also from the trash; administrators only' }),
  ),
}

async function removeEntry(deps: WriteDeps, type: WritableType, context: DeleteContext): Promise<Entry> {
  const { before, tx, removal, additions, outcome } = context
  // Deleting another entry in the same transaction may have deleted this one already.
  if (!deps.removals.begin(type.model, before.id, tx)) return before
  outcome.event = removal.isInTrash ? 'purge' : 'delete'
  if (additions.isSingleClaimed && !removal.isInTrash) await deps.claims.release(type.model.type, tx)
  if (removal.isForGood) await removeForGood(deps, type, context)
  else await moveToTrash(deps, type, context)
  return before
}

async function moveToTrash(deps: WriteDeps, type: WritableType, context: DeleteContext): Promise<void> {
  const { before, principal, ip, tx, now } = context
  if (await type.referrers.isRestricted(before.id, tx)) throw new StillReferred(type.model.type, before.id)
  await deleteCascading(deps, type.referrers, { id: before.id, principal, ip, tx, isForGood: false })
  await type.store.update(before, { columns: versioned(context, { deleted_at: now }) }, tx)
}

async function removeForGood(deps: WriteDeps, type: WritableType, context: DeleteContext): Promise<void> {
  const { before, principal, ip, tx } = context
  await type.store.seal(before.id, tx)
  if (context.additions.heir !== undefined) await moveReferrers(deps, type, context, context.additions.heir)
  await releaseReferrers(deps, type.referrers, { id: before.id, principal, ip, tx, isForGood: true })
  try {
    await type.store.remove(before, tx)
  } catch (error) {
    throw explainRemoveError(error, type.model, before.id)
  }
}

/** Redirects the references to the entry to the one that takes its place. */
async function moveReferrers(
  deps: WriteDeps,
  type: WritableType,
  { before: { id }, principal, ip, tx }: DeleteContext,
  heir: number,
): Promise<void> {
  if (deps.removals.hasBegun(type.model, heir, tx)) return
  for (const { model, findIds, move } of type.referrers.moving) {
    const ids = (await findIds(id, tx)).filter((each) => !deps.removals.hasBegun(model, each, tx))
    if (ids.length === 0) continue
    await move({ id, heir }, tx)
    await touch(deps, model, ids, { principal, ip, tx })
  }
}

/** An entry, or an account, that is going away. */
export type Departure = Pick<DeleteContext, 'principal' | 'ip' | 'tx'> & {
  readonly id: number
  /** False: it moves to the trash. */
  readonly isForGood: boolean
}

/** Deletes or updates the entries that refer to one that is permanently deleted, as their relations demand. */
export async function releaseReferrers(
  deps: WriteDeps,
  referrers: Referrers,
  departure: Departure,
): Promise<void> {
  await deleteCascading(deps, referrers, departure)
  await detach(deps, referrers, departure)
}

/** Deletes the entries that cannot exist without the departing one. */
async function deleteCascading(deps: WriteDeps, referrers: Referrers, departure: Departure): Promise<void> {
  const { id: departing, tx } = departure
  for (const { model, findIds } of referrers.cascading) {
    for (const id of await findIds(departing, tx)) {
      if (!deps.removals.hasBegun(model, id, tx)) await deleteAlong(deps, model, id, departure)
    }
  }
}

/** Deletes another entry in the same transaction, with its own middleware and events. */
async function deleteAlong(
  deps: WriteDeps,
  model: EntryModel,
  id: number,
  { principal, ip, tx, isForGood }: Departure,
): Promise<void> {
  const type = deps.typeNamed(model.type.name)
  const present = await type.store.load(id, tx)
  const isInTrash = present === undefined
  // A row cannot stay if the row it depends on is deleted.
  const row = isInTrash && isForGood ? await type.store.loadDeleted(id, tx) : present
  if (row === undefined) return
  const stored = await withItsDraft(type, row, tx)
  const removal = isForGood ? { isForGood, isInTrash } : { isInTrash }
  await runWrite(deps, type, deleteContext(type, { principal, ip, tx }, stored, removal))
}

/** Updates the entries that lose their reference but stay: the database would do it silently, without middleware or events. */
async function detach(
  deps: WriteDeps,
  referrers: Referrers,
  { id: departing, principal, ip, tx }: Departure,
): Promise<void> {
  for (const { model, findIds, release } of referrers.losing) {
    const ids = (await findIds(departing, tx)).filter((id) => !deps.removals.hasBegun(model, id, tx))
    if (ids.length === 0) continue
    await release(departing, tx)
    await touch(deps, model, ids, { principal, ip, tx })
  }
}

/** Announces the entries whose references a statement has changed, and gives them a new version. */
async function touch(
  deps: WriteDeps,
  model: EntryModel,
  ids: readonly number[],
  write: Pick<Departure, 'principal' | 'ip' | 'tx'>,
): Promise<void> {
  // The repair reads the rows in their current state.
  for (const id of ids) deps.changed({ type: model.type, kind: 'detach', id }, write.tx)
  await repairTogether(deps, deps.typeNamed(model.type.name), { ids, ...write }, () => ({}))
}
