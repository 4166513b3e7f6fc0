import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { RecordedBatch } from '../batch-recorder.ts'
import type { WriteRequest } from '../write-request.ts'

/** What a bulk write has changed, and how it is undone: null where the caller could not undo it. */
export interface BulkAnswer {
  readonly count: number
  readonly ids: readonly number[]
  readonly batch: RecordedBatch | null
}

/**
 * Bulk writes as the REST API answers them: those of `BulkWrites`, with whatever plugins keep so that they can be undone. The
 * caller's permission has been checked by something else, such as the route's policy.
 * @throws AppError as the REST API reports it
 */
export interface UndoableWrites {
  updateMany(request: WriteRequest, ids: readonly number[], data: unknown): Promise<BulkAnswer>
  deleteMany(request: WriteRequest, ids: readonly number[]): Promise<BulkAnswer>
  publishMany(request: WriteRequest, ids: readonly number[]): Promise<BulkAnswer>
  unpublishMany(request: WriteRequest, ids: readonly number[]): Promise<BulkAnswer>
}

export const undoableWritesService: ServiceToken<UndoableWrites> = service('undoableWrites')
