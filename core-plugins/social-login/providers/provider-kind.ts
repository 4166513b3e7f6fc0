import type { Identity } from '../social-login.ts'

/** Where a provider is asked; `''` where it is derived from the others. */
export interface Endpoints {
  /** The page that browsers are sent to. */
  readonly authorize: string
  readonly token: string
  readonly userinfo: string
  /** A list of addresses apart from the user. */
  readonly emails?: string
  /** The keys that sign ID tokens, and who they are issued by: of OpenID Connect. */
  readonly jwks?: string
  readonly issuer?: string
}

export type EndpointName = keyof Endpoints

/** What is peculiar to one provider. */
export interface ProviderKind {
  readonly label: string
  /** What the variables of this service's id and secret there begin with: `GOOGLE_CLIENT`. */
  readonly keyPrefix: string
  /** Of the provider itself, unless the environment says otherwise. */
  readonly endpoints: Endpoints
  /** What is asked for, separated by spaces. */
  readonly scope: string
  /** Parameters of the answer to the browser that the provider wants back with the code. */
  readonly echoed?: readonly string[]
  /** Finds out who has signed in. @throws UnexpectedAnswer where the provider says something else than it should */
  identify(grant: Grant): Promise<Identity>
}

/** What the provider gave for a code. */
export interface Grant {
  readonly accessToken: string
  /** Of an ID token whose signature and claims were checked; undefined without OpenID Connect. */
  readonly claims: Readonly<Record<string, unknown>> | undefined
  readonly clientId: string
  readonly clientSecret: string
  readonly endpoints: Endpoints
  /** Asks with the access token; a form is posted. Answers parsed JSON. */
  ask(url: URL, form?: URLSearchParams): Promise<unknown>
}
