import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { WriteRequest } from '../write-request.ts'
import type { Guarded } from './guarded.ts'

/**
 * Writes many entries of a type in one transaction: all of them or none. The middleware of up to fifty
 * entries runs concurrently and their statements are combined, so no stage may wait for that of another
 * entry.
 * @throws AppError as the REST API reports it
 */
export interface BulkWrites {
  /** Returns their ids. */
  updateMany(request: WriteRequest, ids: readonly number[], data: unknown): Promise<readonly number[]>
  /** One after the other, because a delete may change or delete other entries; returns their ids. */
  deleteMany(request: WriteRequest, ids: readonly number[]): Promise<readonly number[]>
  /** Publishes now. Error details name entries as `article:7`. */
  publishMany(request: WriteRequest, ids: readonly number[]): Promise<void>
  /** Like `publishMany`. */
  unpublishMany(request: WriteRequest, ids: readonly number[]): Promise<void>
}

export const bulkWritesService: ServiceToken<Guarded<BulkWrites>> = service('bulkWrites')
