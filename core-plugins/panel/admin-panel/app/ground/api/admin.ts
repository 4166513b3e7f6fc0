import { createAdmin } from '../../../../../../client/admin.ts'
import { api } from './client.ts'

/** What of the service is for the administration only. */
export const admin = createAdmin(api)
