import { createAdmin } from '../../../../../../client/admin.ts'
import { api } from './client.ts'

/** The client for the administration API. */
export const admin = createAdmin(api)
