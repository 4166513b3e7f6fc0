import type { Identity } from '../social-login.ts'

/** The endpoints of a provider; `''` if one is derived from the others. */
export interface Endpoints {
  /** The page to which browsers are redirected. */
  readonly authorize: string
  readonly token: string
  readonly userinfo: string
  /** A list of e-mail addresses, separate from the user. */
  readonly emails?: string
  /** For OpenID Connect: the keys that sign ID tokens, and their issuer. */
  readonly jwks?: string
  readonly issuer?: string
}

export type EndpointName = keyof Endpoints

/** Whatever differs between providers. */
export interface ProviderKind {
  readonly label: string
  /** The beginning of the variables for this service's id and secret: `GOOGLE_CLIENT`. */
  readonly keyPrefix: string
  /** The provider's own, unless the environment replaces them. */
  readonly endpoints: Endpoints
  /** The requested scopes, separated by spaces. */
  readonly scope: string
  /** Parameters of the callback that the provider expects back together with the code. */
  readonly echoed?: readonly string[]
  /** Finds out who has signed in. @throws UnexpectedAnswer if the provider's answer makes no sense */
  identify(grant: Grant): Promise<Identity>
}

/** What the provider returned for a code. */
export interface Grant {
  readonly accessToken: string
  /** The claims of a verified ID token; undefined without OpenID Connect. */
  readonly claims: Readonly<Record<string, unknown>> | undefined
  readonly clientId: string
  readonly clientSecret: string
  readonly endpoints: Endpoints
  /** Sends a request with the access token, by POST if there is a form. Returns parsed JSON. */
  ask(url: URL, form?: URLSearchParams): Promise<unknown>
}
