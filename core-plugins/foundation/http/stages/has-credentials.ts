import type { IncomingRequest } from '../requests/request.ts'

/** Whether there is anything that an authenticator could look at, be it good or not. */
export function hasCredentials(request: IncomingRequest): boolean {
  return request.foundRoute.credentialHeaders.some((name) => request.exchange.header(name) !== undefined)
}
