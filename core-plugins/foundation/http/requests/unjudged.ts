import { AppError } from '../answers/app-error.ts'
import type { AuthenticatorRequest } from './authenticator.ts'
import type { IncomingRequest } from './request.ts'

const unjudged = new WeakSet<AuthenticatorRequest>()

/** Notes that an authenticator has failed: its answer is missing, and the caller may be somebody. */
export function noteUnjudged(request: AuthenticatorRequest): void {
  unjudged.add(request)
}

/**
 * Who is told to sign in, or that a token is wrong, believes it and throws away what was good. So an unjudged caller is told
 * that nobody knows: as a failure of the service if there are credentials.
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
