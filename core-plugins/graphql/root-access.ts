import type { Awaitable } from '../../kernel/index.ts'
import { AppError, type GuardCheck, type GuardRequest, type Principal } from '../http/http.ts'

/** Lets somebody use a field that a plugin adds to `Query` or `Mutation`. @throws AppError 401, 403 */
export function admit(check: GuardCheck, principal: Principal): Awaitable<void> {
  return check(requestOf(principal))
}

/** Whether `admit` would let somebody pass. */
export async function isAdmitted(check: GuardCheck, principal: Principal): Promise<boolean> {
  try {
    await admit(check, principal)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** What policies see of the caller: fields have no path of their own. */
function requestOf(principal: Principal): GuardRequest {
  return {
    principal,
    adminUser: principal.kind === 'admin' ? principal : undefined,
    params: {},
    path: '/graphql',
    method: 'POST',
    header: () => undefined,
  }
}
