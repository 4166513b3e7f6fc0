import type { BatchRecorder, BulkOperation } from './batch-recorder.ts'
import type { BulkWrites } from './services/bulk-writes-service.ts'
import type { BulkAnswer, UndoableWrites } from './services/undoable-writes-service.ts'
import type { WriteRequest } from './write-request.ts'

export function createUndoableWrites(bulkWrites: BulkWrites, recordBatch: BatchRecorder): UndoableWrites {
  /** Carries out a bulk write, with whatever keeps what it changes. */
  async function undoable(
    operation: BulkOperation,
    request: WriteRequest,
    write: (request: WriteRequest) => Promise<readonly number[]>,
  ): Promise<BulkAnswer> {
    const { type, principal } = request
    const batch = recordBatch({ type, operation, principal })
    const ids = await write({ ...request, ...(batch && { annotations: batch.annotations }) })
    return { count: ids.length, ids, batch: batch?.answer() ?? null }
  }

  return {
    updateMany: (request, ids, data) =>
      undoable('update', request, (write) => bulkWrites.updateMany(write, ids, data)),
    deleteMany: (request, ids) => undoable('delete', request, (write) => bulkWrites.deleteMany(write, ids)),
    publishMany: (request, given) =>
      undoable('publish', request, async (write) => {
        const ids = [...new Set(given)]
        await bulkWrites.publishMany(write, ids)
        return ids
      }),
    unpublishMany: (request, given) =>
      undoable('unpublish', request, async (write) => {
        const ids = [...new Set(given)]
        await bulkWrites.unpublishMany(write, ids)
        return ids
      }),
  }
}
