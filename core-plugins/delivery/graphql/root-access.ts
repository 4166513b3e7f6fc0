import type { Awaitable } from '../../../kernel/index.ts'
import { AppError, type GuardCheck, type GuardRequest, type Principal } from '../../foundation/http/http.ts'

/** A field of `Query` or `Mutation` with its own access rule; `type` is the content type to which it belongs. */
export interface GuardedRoot {
  readonly check: GuardCheck
  readonly type?: string | undefined
}

/** Checks whether the caller may use a field. @throws AppError 401, 403 */
export function admit({ check, type }: GuardedRoot, principal: Principal): Awaitable<void> {
  return check(requestOf(principal, type))
}

/** Whether `admit` would let the caller pass. */
export async function isAdmitted(root: GuardedRoot, principal: Principal): Promise<boolean> {
  try {
    await admit(root, principal)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** The request that policies see; fields have no path. */
function requestOf(principal: Principal, type: string | undefined): GuardRequest {
  return {
    principal,
    adminUser: principal.kind === 'admin' ? principal : undefined,
    params: type === undefined ? {} : { type },
    path: '/graphql',
    method: 'POST',
    header: () => undefined,
  }
}
