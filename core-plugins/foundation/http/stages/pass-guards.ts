import type { Awaitable } from '../../../../kernel/index.ts'
import type { IncomingRequest } from '../requests/request.ts'
import { passFrom } from '../routes/compile-access.ts'

/** Runs all guards of the route. @throws AppError 401 or 403 */
export function passGuards(request: IncomingRequest): Awaitable<void> {
  return passFrom(0, request.foundRoute.guards, request)
}
