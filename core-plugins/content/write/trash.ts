import { sql } from 'drizzle-orm'
import { query, type Transaction } from '../../database/database.ts'
import { AppError } from '../../http/http.ts'
import type { Content, WriteRequest } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import type { CompiledType, WriteRunner, WriterScope } from './write-runner.ts'

/** Brings soft-deleted entries back, or sends them away for good. */
export type Trash = Pick<Content, 'restore' | 'purge' | 'emptyTrash'>

/** Purged in one transaction. */
const entriesAtOnce = 100
/** Purged in one call: whoever wants more calls again. */
const entriesOfCall = 1_000

export function createTrash(runner: WriteRunner, { database }: WriterScope): Trash {
  const { typeOf, inTransaction, run, openRow } = runner

  const restore: Trash['restore'] = (request) => {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const opened = await openRow(type, request, await type.store.loadDeleted(request.id, tx), tx)
      if (opened === undefined) throw AppError.notFound(`deleted ${request.type} ${request.id}`)
      return run(type, { operation: 'restore', principal, ip, tx, opened })
    })
  }

  const purge: Trash['purge'] = (request) => {
    const type = typeOf(request.type)
    const { principal, ip, id } = request
    return inTransaction(request, async (tx) => {
      const present = await type.store.load(id, tx)
      const isInTrash = present === undefined
      const row = present ?? (await type.store.loadDeleted(id, tx))
      const opened = await openRow(type, request, row, tx)
      if (opened === undefined) throw AppError.notFound(`${request.type} ${id}`)
      return run(type, { operation: 'delete', principal, ip, tx, opened, isForGood: true, isInTrash })
    })
  }

  function findTrashed({ type }: EntryModel) {
    return query<{ id: number }>(
      database,
      (value) => sql`select id from ${sql.identifier(type.table)}
        where deleted_at <= ${value('before', 'datetime')} and id > ${value('after', 'id')}
        order by id limit ${sql.raw(String(entriesAtOnce))}`,
      { id: { column: 'id', kind: 'id' } },
    )
  }

  /** False where something that must not lose it still refers to it, or somebody else was there first. */
  async function purgeTrashed(
    type: CompiledType,
    id: number,
    { principal, ip }: WriteRequest,
    tx: Transaction,
  ): Promise<boolean> {
    const row = await type.store.loadDeleted(id, tx)
    if (row === undefined || (await type.referrers.isRestricted(id, tx))) return false
    const [opened] = await runner.withDrafts(type, [row], tx)
    if (opened === undefined) return false
    await run(type, { operation: 'delete', principal, ip, tx, opened, isForGood: true, isInTrash: true })
    return true
  }

  const emptyTrash: Trash['emptyTrash'] = async (request, before) => {
    const type = typeOf(request.type)
    requireTrash(type.model)
    const trashed = findTrashed(type.model)
    const purged: number[] = []
    for (let after = 0; purged.length < entriesOfCall; ) {
      const ids = (await trashed.all({ before, after }, request.tx)).map(({ id }) => id)
      const last = ids.at(-1)
      if (last === undefined) return { ids: purged, hasMore: false }
      after = last
      const gone = await inTransaction(request, async (tx) => {
        const gone: number[] = []
        for (const id of ids) if (await purgeTrashed(type, id, request, tx)) gone.push(id)
        return gone
      })
      purged.push(...gone)
    }
    return { ids: purged, hasMore: true }
  }

  return { restore, purge, emptyTrash }
}

function requireTrash({ type }: EntryModel): void {
  if (type.options.softDelete) return
  const message = `${type.name} has no trash; set options.softDelete in its schema to have one`
  throw AppError.invalid([{ path: 'type', code: 'unsupported', message }])
}
