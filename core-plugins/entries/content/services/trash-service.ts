import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryWriteRequest, WriteRequest } from '../write-request.ts'
import type { Guarded } from './guarded.ts'

/** Operations on soft-deleted entries; for administrators who may delete entries of the type. */
export interface Trash {
  /** Restores a soft-deleted entry. @throws AppError 404, 409, 412 */
  restore(request: EntryWriteRequest): Promise<Entry>
  /** Permanently deletes an entry, whether in the trash or not. @throws AppError 404, 409, 412 */
  purge(request: EntryWriteRequest): Promise<Entry>
  /**
   * Permanently deletes up to a thousand entries that were moved to the trash of a type until a given time
   * (ISO 8601), in transactions of a hundred. Entries that others must not lose are kept.
   * @throws AppError 400 if the type has no trash
   */
  emptyTrash(
    request: WriteRequest,
    until: string,
  ): Promise<{ readonly ids: readonly number[]; readonly hasMore: boolean }>
}

/** Restores deleted entries, and deletes them for good. */
export const trashService: ServiceToken<Guarded<Trash>> = service('trash')
