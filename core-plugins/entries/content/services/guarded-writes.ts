import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { BulkWrites, Trash } from '../operations/operations.ts'

/**
 * A service that checks the caller's permission for each operation (401 or 403). `unguarded` is the same without that check, for
 * callers that have already checked it, such as routes with a policy.
 */
export type Guarded<Operations> = Operations & { readonly unguarded: Operations }

/** Writes many entries together, each with a result of its own. */
export const bulkWritesService: ServiceToken<Guarded<BulkWrites>> = service('bulkWrites')

/** Restores deleted entries, and deletes them for good. */
export const trashService: ServiceToken<Guarded<Trash>> = service('trash')
