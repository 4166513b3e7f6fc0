import type { AdminPrincipal } from '../../foundation/http/http.ts'
import { superAdmin } from './roles/built-in-roles.ts'

/**
 * The principal of the command line. Access to the machine implies access to the database, so it has all
 * permissions. No account has its id.
 */
export const operator: AdminPrincipal = Object.freeze({
  kind: 'admin',
  id: 0,
  username: 'command line',
  role: superAdmin,
})
