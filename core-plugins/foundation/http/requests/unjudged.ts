import { AppError } from '../answers/app-error.ts'
import type { AuthenticatorRequest } from './authenticator.ts'
import type { IncomingRequest } from './request.ts'

const unjudged = new WeakSet<AuthenticatorRequest>()

/** Notes that an authenticator failed: the caller is unknown, but may have valid credentials. */
export function noteUnjudged(request: AuthenticatorRequest): void {
  unjudged.add(request)
}

/**
 * A client that gets a 401, for a missing or wrong token, throws away its credentials even if they were good. So if
 * an authenticator failed, the error says that the caller could not be identified: a failure of the service if
 * credentials were sent.
 */
export function withoutBlame(request: IncomingRequest, error: AppError): AppError {
  const isRefused = error.code === 'UNAUTHENTICATED' && request.compiled?.route.access !== 'open'
  if (!isRefused || !unjudged.has(request)) return error
  const { headers } = error
  const message =
    'who sends this could not be judged, because an authenticator of a plugin failed; the log of the service says why'
  if (request.hasCredentials) return new AppError('INTERNAL_ERROR', message, { cause: error })
  return new AppError('UNAUTHENTICATED', message, { headers, cause: error })
}
