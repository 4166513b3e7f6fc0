/** The caller. Set by the authenticator, checked by the guards, read by handlers. */
export type Principal = AnonymousPrincipal | AdminPrincipal | UserPrincipal | TokenPrincipal

/** A caller without credentials. */
export interface AnonymousPrincipal {
  readonly kind: 'anonymous'
}

/** An admin user, with the name of their role. */
export interface AdminPrincipal {
  readonly kind: 'admin'
  readonly id: number
  readonly username: string
  readonly role: string
}

/** A content user: an end user of the application. */
export interface UserPrincipal {
  readonly kind: 'user'
  readonly id: number
  readonly username: string
  readonly role: string
}

/** A machine client with an API token. */
export interface TokenPrincipal {
  readonly kind: 'token'
  readonly id: number
  readonly name: string
  readonly scopes: ReadonlySet<string>
  /**
   * The principal that created it: the token may do nothing that its maker may not. Undefined for a token of the
   * service itself.
   */
  readonly maker?: Maker
  /**
   * True for a former value of a token that has since got another maker: anything it created would go on acting with
   * that maker's rights, which this value never had.
   */
  readonly makesNothing?: boolean
}

/** Principals that can create something that goes on acting on their behalf. */
export type Maker = AdminPrincipal | TokenPrincipal
