import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { BulkWrites, Trash } from '../operations/operations.ts'

/**
 * A service that checks the caller's permission for each operation (401 or 403), and the same without that
 * check, for callers whose permission something else has checked, such as the route's policy.
 */
export type Guarded<Operations> = Operations & { readonly unguarded: Operations }

/** Writes many entries together, each with a result of its own. */
export const bulkWritesService: ServiceToken<Guarded<BulkWrites>> = service('bulkWrites')

/** Restores deleted entries, and deletes them for good. */
export const trashService: ServiceToken<Guarded<Trash>> = service('trash')
