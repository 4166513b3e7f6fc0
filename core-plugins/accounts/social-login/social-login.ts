import { type HookToken, hook } from '../../../kernel/index.ts'

/** What is known about a provider account after its owner has signed in there. */
export interface Identity {
  /** The account's id at the provider; it stays the same when names and addresses change. */
  readonly subject: string
  /** An e-mail address that the provider has verified; undefined if there is none. */
  readonly verifiedEmail: string | undefined
  /** The person's name, from which a username is derived. */
  readonly name: string | undefined
}

/**
 * A provider account was linked to a content user, either a new one (`isNewUser`) or the one with its e-mail address.
 * Emitted after the commit.
 */
export const identityLinked: HookToken<{
  readonly userId: number
  /** `google`, `github`, … */
  readonly provider: string
  readonly isNewUser: boolean
}> = hook('social-login:identityLinked')
