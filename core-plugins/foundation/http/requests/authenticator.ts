import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Method, Route } from '../routes/route.ts'
import type { Principal } from './principal.ts'

/**
 * Identifies the caller from the request's headers. The first authenticator with a result wins; without any,
 * the caller is anonymous.
 * @throws AppError 401 for credentials that are present but wrong
 */
export interface Authenticator {
  /**
   * The request headers, in lower case, that it reads on a route in addition to `authorization`: they are listed in
   * `Vary` for caches. Called once per route, at start-up.
   */
  headersFor?(route: Route): readonly string[]
  authenticate(request: AuthenticatorRequest): Principal | undefined | Promise<Principal | undefined>
}

/** What an authenticator sees of a request: neither its query nor its body. */
export interface AuthenticatorRequest {
  readonly method: Method
  readonly path: string
  readonly route: Route
  readonly ip: string
  header(name: string): string | undefined
}

/** Ways to identify the caller; the first one with a result decides. Contribute in `init`. */
export const authenticators: ExtensionPoint<Authenticator> = extensionPoint('authenticators')
