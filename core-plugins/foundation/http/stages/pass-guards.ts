import type { Awaitable } from '../../../../kernel/index.ts'
import { passFrom } from '../compile-access.ts'
import type { IncomingRequest } from '../request.ts'

/** Runs all guards of the route. @throws AppError 401 or 403 */
export function passGuards(request: IncomingRequest): Awaitable<void> {
  return passFrom(0, request.foundRoute.guards, request)
}
