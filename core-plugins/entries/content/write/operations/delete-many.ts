import type { WriteRequest } from '../../write-request.ts'
import { deleteContext } from '../contexts.ts'
import { runWrite } from '../run-write.ts'
import { openMany } from '../stored-entries.ts'
import { inTransaction } from '../transaction.ts'
import type { WriteDeps } from '../write-deps.ts'

/** See `BulkWrites.deleteMany`. */
export function deleteEntries(
  deps: WriteDeps,
  request: WriteRequest,
  ids: readonly number[],
): Promise<readonly number[]> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, async (tx) => {
    const all = await openMany(deps, type, ids, request.principal, tx)
    for (const stored of all) {
      await runWrite(deps, type, deleteContext(type, { ...request, tx }, stored))
    }
    return all.map(({ row }) => row.id)
  })
}
