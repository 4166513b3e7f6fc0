import { type Awaitable, andThen, orElse } from '../../../kernel/index.ts'
import { AppError } from '../app-error.ts'
import type { Authenticator } from '../authenticator.ts'
import type { Principal } from '../principal.ts'
import type { IncomingRequest } from '../request.ts'
import type { RequestEnvironment } from '../request-stage.ts'

type Identity = Principal | undefined

/**
 * Identifies the caller by the first authenticator that recognises it. @throws AppError 401 for bad
 * credentials
 */
export function authenticate(
  request: IncomingRequest,
  { authenticators }: RequestEnvironment,
): Awaitable<void> {
  return andThen(identify(request, authenticators, 0), (principal) => {
    if (principal !== undefined) request.principal = principal
  })
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

/** Bad credentials are no reason to refuse what anyone may do without credentials. */
function askAuthenticator(request: IncomingRequest, authenticator: Authenticator): Awaitable<Identity> {
  if (request.route.access !== 'open') return authenticator.authenticate(request)
  return orElse(() => authenticator.authenticate(request), ignoreRefusal)
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}
