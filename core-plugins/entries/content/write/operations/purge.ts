import { sql } from 'drizzle-orm'
import { query, type Transaction } from '../../../../foundation/database/database.ts'
import { AppError } from '../../../../foundation/http/http.ts'
import type { Entry } from '../../entry/entry.ts'
import type { Trash } from '../../services/trash-service.ts'
import type { EntryWriteRequest, WriteRequest } from '../../write-request.ts'
import { deleteContext } from '../contexts.ts'
import { runWrite } from '../run-write.ts'
import { openRow, withItsDraft } from '../stored-entries.ts'
import { inTransaction } from '../transaction.ts'
import type { WritableType, WriteDeps } from '../write-deps.ts'

/** See `Trash.purge`. */
export function purgeEntry(deps: WriteDeps, request: EntryWriteRequest): Promise<Entry> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, async (tx) => {
    const present = await type.store.load(request.id, tx)
    const row = present ?? (await type.store.loadDeleted(request.id, tx))
    if (row === undefined) throw AppError.notFound(`${request.type} ${request.id}`)
    const stored = await openRow(deps, type, request, row, tx)
    const removal = { isForGood: true, isInTrash: present === undefined }
    return runWrite(deps, type, deleteContext(type, { ...request, tx }, stored, removal))
  })
}

/** Entries purged in one transaction. */
const entriesAtOnce = 100
/** Entries purged in one call; callers repeat the call for more. */
const entriesOfCall = 1_000

/** See `Trash.emptyTrash`. */
export async function emptyTrash(
  deps: WriteDeps,
  request: WriteRequest,
  until: string,
): ReturnType<Trash['emptyTrash']> {
  const type = deps.typeNamed(request.type)
  assertTrash(type)
  const trashed = trashedIds(deps, type)
  const purged: number[] = []
  for (let after = 0; purged.length < entriesOfCall; ) {
    const ids = (await trashed.all({ until, after }, request.tx)).map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return { ids: purged, hasMore: false }
    after = last
    purged.push(...(await purgeTogether(deps, type, ids, request)))
  }
  return { ids: purged, hasMore: true }
}

/** Returns those that are gone. What the database refuses stays, and keeps none of the others. */
async function purgeTogether(
  deps: WriteDeps,
  type: WritableType,
  ids: readonly number[],
  request: WriteRequest,
): Promise<readonly number[]> {
  try {
    return await inTransaction(deps, request, async (tx) => {
      const gone: number[] = []
      for (const id of ids) if (await purgeTrashed(deps, type, id, request, tx)) gone.push(id)
      return gone
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'RESTRICTED' || request.tx !== undefined) throw error
    if (ids.length === 1) return []
    const gone: number[] = []
    for (const id of ids) gone.push(...(await purgeTogether(deps, type, [id], request)))
    return gone
  }
}

function trashedIds({ database }: WriteDeps, { model: { type } }: WritableType) {
  return query<{ id: number }>(
    database,
    (value) => sql`select id from ${sql.identifier(type.table)}
      where deleted_at <= ${value('until', 'datetime')} and id > ${value('after', 'id')}
      order by id limit ${sql.raw(String(entriesAtOnce))}`,
    { id: { column: 'id', kind: 'id' } },
  )
}

/** False if something that must not lose it still refers to it, or another writer was first. */
async function purgeTrashed(
  deps: WriteDeps,
  type: WritableType,
  id: number,
  { principal, ip }: WriteRequest,
  tx: Transaction,
): Promise<boolean> {
  const row = await type.store.loadDeleted(id, tx)
  if (row === undefined || (await type.referrers.isRestricted(id, tx))) return false
  const stored = await withItsDraft(type, row, tx)
  const removal = { isForGood: true, isInTrash: true }
  await runWrite(deps, type, deleteContext(type, { principal, ip, tx }, stored, removal))
  return true
}

function assertTrash({ model: { type } }: WritableType): void {
  if (type.options.softDelete) return
  const message = `${type.name} has no trash; set options.softDelete in its schema to have one`
  throw AppError.invalid([{ path: 'type', code: 'unsupported', message }])
}
