import type { AdminPrincipal } from '../../foundation/http/http.ts'
import { superAdmin } from './roles/built-in-roles.ts'

/**
 * Whoever works on the command line. Access to the machine implies access to the database, so there is
 * nothing to protect. No account has its id.
 */
export const operator: AdminPrincipal = Object.freeze({
  kind: 'admin',
  id: 0,
  username: 'command line',
  role: superAdmin,
})
