import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { query, type Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { deleteContext } from '../write/contexts.ts'
import { withItsDraft } from '../write/stored-entries.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import { inTransaction, runWrite } from '../write/write-path.ts'
import type { WriteRequest } from '../write-request.ts'
import { defineOperation } from './operation.ts'
import { hasTrash } from './purge.ts'
import { strict, typeParams, typeWrite } from './route-requests.ts'

/** Entries purged in one transaction. */
const entriesAtOnce = 100
/** Entries purged in one call; callers repeat the call for more. */
const entriesOfCall = 1_000

/** The result of emptying a trash. */
export interface EmptiedTrash {
  readonly ids: readonly number[]
  /** Whether there is more to delete. */
  readonly hasMore: boolean
}

const ageQuery = Type.Object(
  { olderThanDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 36_500 })) },
  strict,
)

/** See `Trash.emptyTrash`. */
export const emptyTrash = defineOperation({
  service: 'trash',
  right: 'delete',
  isForAdministrators: true,
  of: hasTrash,
  run: purgeTrashedUntil,
  route: {
    name: 'trash.delete',
    method: 'DELETE',
    path: '/trash',
    summary: 'Empty the trash of a type, up to a thousand entries',
    params: typeParams,
    query: ageQuery,
    document: (type) => ({
      summary: `Permanently delete the ${type.pluralName} in the trash`,
      query: Type.Object({
        olderThanDays: Type.Optional(
          Type.Integer({
            minimum: 0,
            description: 'Only entries moved to the trash at least this many days ago',
          }),
        ),
      }),
      response: Type.Object({
        count: Type.Integer(),
        ids: Type.Array(Type.Integer()),
        hasMore: Type.Boolean(),
      }),
    }),
    handler: async (request, run) =>
      counted(await run(typeWrite(request), trashedUntil(request.query.olderThanDays))),
  },
  mutation: {
    name: (object) => `empty${object}Trash`,
    description: 'Deletes up to a thousand entries of the trash for good',
    arguments: () => 'olderThanDays: Int',
    answer: 'EmptiedTrash',
    takes: ageQuery,
    writes: () => entriesOfCall,
    resolve: async ({ olderThanDays }, write, run) =>
      counted(await run(write, trashedUntil(olderThanDays as number | undefined))),
  },
})

const counted = ({ ids, hasMore }: EmptiedTrash) => ({ count: ids.length, ids, hasMore })

const dayMs = 24 * 60 * 60_000

/** Entries moved to the trash up to this time are to be purged. */
function trashedUntil(olderThanDays = 0): string {
  return new Date(Date.now() - olderThanDays * dayMs).toISOString()
}

async function purgeTrashedUntil(
  deps: WriteDeps,
  request: WriteRequest,
  until: string,
): Promise<EmptiedTrash> {
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

/** Returns the ids of the purged entries. Entries that the database refuses to delete stay, without affecting the others. */
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

/** Returns false if a relation of another entry forbids the purge, or if another writer was first. */
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
