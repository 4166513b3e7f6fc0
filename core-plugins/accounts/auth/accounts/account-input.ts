/** The values of an account when it is created or changed. */
export interface AccountInput {
  readonly email: string
  readonly username: string
  /** An account without a password cannot be signed in to with one. */
  readonly password?: string
  readonly role: string
  readonly blocked?: boolean
  /** The columns that this kind of account has besides the common ones. */
  readonly extra?: Readonly<Record<string, unknown>>
}
