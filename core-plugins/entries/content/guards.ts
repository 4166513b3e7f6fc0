import type { Auth, ContentAction } from '../../accounts/auth/auth.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Operation, OperationService, Run } from './operations/operation.ts'
import { namedOperations } from './operations/operations.ts'
import type { WriteDeps } from './write/write-deps.ts'

/** Checks permissions before anything about the type is revealed, as policies do. @throws AppError 401, 403 */
export type Guard = (principal: Principal, type: string, action: ContentAction) => void

export function createGuard(auth: Auth): Guard {
  return (principal, type, action) => {
    if (!auth.mayContent(principal, type, action)) auth.refuse(principal)
  }
}

/** The methods of a service, for callers whose permission has already been checked. */
export function unguardedMethods<Methods>(service: OperationService, deps: WriteDeps): Methods {
  return methodsOf(service, (operation) => operation.run.bind(operation, deps))
}

/**
 * The methods for callers whose permission has not been checked: if a caller forgets the check, the method refuses instead of
 * revealing data.
 */
export function guardedMethods<Methods>(service: OperationService, deps: WriteDeps): Methods {
  const { auth, schemas } = deps
  const guard = createGuard(auth)
  return methodsOf(service, (operation) => async (request, ...rest) => {
    const type = schemas.types.get(request.type)
    for (const action of operation.rightsFor?.(type, ...rest) ?? [operation.right]) {
      guard(request.principal, request.type, action)
    }
    const isEnough = operation.isForAdministrators !== true || auth.isAdministrator(request.principal)
    if (!isEnough) auth.refuse(request.principal)
    return operation.run(deps, request, ...rest)
  })
}

function methodsOf<Methods>(service: OperationService, methodOf: (operation: Operation) => Run): Methods {
  const own = namedOperations.filter(([, operation]) => operation.service === service)
  return Object.fromEntries(own.map(([name, operation]) => [name, methodOf(operation)])) as Methods
}
