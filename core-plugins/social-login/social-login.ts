import { type HookToken, hook } from '../../kernel/index.ts'

/** What is known of an account at a provider once its owner has signed in there. */
export interface Identity {
  /** The account's id at the provider, which stays when names and addresses change. */
  readonly subject: string
  /** An address that the provider knows to be the owner's; undefined without any. */
  readonly verifiedEmail: string | undefined
  /** What the person is called, as a suggestion for a username. */
  readonly name: string | undefined
}

/**
 * An account of a provider has become that of a content user, after the commit: of a new one (`isNewUser`) or of the one
 * who has its e-mail address.
 */
export const identityLinked: HookToken<{
  readonly userId: number
  /** `google`, `github`, … */
  readonly provider: string
  readonly isNewUser: boolean
}> = hook('social-login:identityLinked')
