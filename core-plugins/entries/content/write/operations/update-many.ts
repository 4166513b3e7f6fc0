import type { WriteRequest } from '../../write-request.ts'
import { openMany } from '../stored-entries.ts'
import { inTransaction } from '../transaction.ts'
import type { WriteDeps } from '../write-deps.ts'
import { failedAlike } from '../write-errors.ts'
import { changeTogether, entriesAtOnce } from '../write-together.ts'
import { goesIntoDraft } from './update.ts'

/** See `BulkWrites.updateMany`. */
export function updateEntries(
  deps: WriteDeps,
  request: WriteRequest,
  ids: readonly number[],
  data: unknown,
): Promise<readonly number[]> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, async (tx) => {
    const all = await openMany(deps, type, ids, request.principal, tx)
    for (let start = 0; start < all.length; start += entriesAtOnce) {
      const now = new Date().toISOString()
      const changes = all
        .slice(start, start + entriesAtOnce)
        .map((stored) => ({ stored, data, isDraftWrite: goesIntoDraft(type, stored, now) }))
      const together = { ...request, operation: 'update', tx, now, explain: failedAlike } as const
      await changeTogether(deps, type, changes, together)
    }
    return all.map(({ row }) => row.id)
  })
}
