import { type Awaitable, andThen, orElse } from '../../../../kernel/index.ts'
import { AppError } from '../answers/app-error.ts'
import { isOutage } from '../answers/as-app-error.ts'
import type { Authenticator } from '../requests/authenticator.ts'
import type { Principal } from '../requests/principal.ts'
import type { IncomingRequest } from '../requests/request.ts'
import type { RequestEnvironment } from '../requests/request-stage.ts'

type Identity = Principal | undefined

/**
 * Identifies the caller by the first authenticator that recognises it. @throws AppError 401 for bad
 * credentials
 */
export function authenticate(
  request: IncomingRequest,
  { authenticators, keeper }: RequestEnvironment,
): Awaitable<void> {
  const take = (principal: Identity) => {
    if (principal !== undefined) request.principal = principal
  }
  const mayBeKept = keeper !== undefined && request.method === 'GET' && request.foundRoute.isKept
  if (!mayBeKept || request.hasCredentials) return andThen(identify(request, authenticators, 0), take)
  return andThen(
    orElse(
      () => identify(request, authenticators, 0),
      (error) => postponeOutage(request, error),
    ),
    take,
  )
}

/**
 * A request without credentials is anonymous even if nothing can be looked up, and may still be answered from memory.
 */
function postponeOutage(request: IncomingRequest, error: unknown): undefined {
  if (!isOutage(error)) throw error
  request.outage = error
}

function identify(
  request: IncomingRequest,
  authenticators: readonly Authenticator[],
  index: number,
): Awaitable<Identity> {
  const authenticator = authenticators[index]
  if (authenticator === undefined) return undefined
  return andThen(
    askAuthenticator(request, authenticator),
    (known) => known ?? identify(request, authenticators, index + 1),
  )
}

/** Bad credentials are no reason to refuse what any caller may do without credentials. */
function askAuthenticator(request: IncomingRequest, authenticator: Authenticator): Awaitable<Identity> {
  if (request.route.access !== 'open') return authenticator.authenticate(request)
  return orElse(() => authenticator.authenticate(request), ignoreRefusal)
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}
