import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { BulkWrites } from '../operations/operations.ts'
import type { Guarded } from './guarded.ts'

/** Writes many entries together, each with a result of its own. */
export const bulkWritesService: ServiceToken<Guarded<BulkWrites>> = service('bulkWrites')
