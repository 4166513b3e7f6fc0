import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { Trash } from '../operations/operations.ts'
import type { Guarded } from './guarded.ts'

/** Restores deleted entries, and deletes them for good. */
export const trashService: ServiceToken<Guarded<Trash>> = service('trash')
