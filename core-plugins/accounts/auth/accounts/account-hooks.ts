import { type HookToken, hook } from '../../../../kernel/index.ts'

/**
 * An account of one of the two systems: admin users or content users. The response waits for the listeners of
 * these hooks, so that they can record what happened; anything slower belongs in a job.
 */
export interface AccountEvent {
  readonly kind: 'admin' | 'user'
  readonly id: number
  readonly username: string
  /** The client's address. */
  readonly ip: string
}

/** A user signed in. */
export const loggedIn: HookToken<AccountEvent> = hook('auth:loggedIn')

/** A login was refused; `identifier` is as sent, and need not belong to an account. */
export const loginFailed: HookToken<{
  readonly kind: 'admin' | 'user'
  readonly identifier: string
  readonly ip: string
  /** There were too many failures before, so the password was not checked. */
  readonly isLocked: boolean
}> = hook('auth:loginFailed')

/** A session was ended. */
export const loggedOut: HookToken<AccountEvent> = hook('auth:loggedOut')

/** An admin user has requested a link to set a new password. */
export const passwordForgotten: HookToken<AccountEvent> = hook('auth:passwordForgotten')

/** An invited admin user has set the first password. */
export const invitationAccepted: HookToken<AccountEvent> = hook('auth:invitationAccepted')

/** The owner of an account has set a new password, with the old one or with a reset token. */
export const passwordChanged: HookToken<AccountEvent> = hook('auth:passwordChanged')
