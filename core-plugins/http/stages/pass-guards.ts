import { type Awaitable, andThen } from '../../../kernel/index.ts'
import type { GuardCheck } from '../compile-route.ts'
import type { IncomingRequest } from '../request.ts'

/** Runs all guards of the route. @throws AppError 401 or 403 */
export function passGuards(request: IncomingRequest): Awaitable<void> {
  return passFrom(0, request.foundRoute.guards, request)
}

function passFrom(index: number, guards: readonly GuardCheck[], request: IncomingRequest): Awaitable<void> {
  const guard = guards[index]
  if (guard === undefined) return
  return andThen(guard(request), () => passFrom(index + 1, guards, request))
}
