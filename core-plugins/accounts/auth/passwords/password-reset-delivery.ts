import { type ExtensionPoint, extensionPoint, type HookToken, hook } from '../../../../kernel/index.ts'
import type { Transaction } from '../../../foundation/database/database.ts'

/** A token with which a content user sets a new password. It is a secret: anyone who has it can use it. */
export interface PasswordReset {
  readonly userId: number
  readonly email: string
  readonly username: string
  readonly token: string
  /** When it expires; ISO 8601. */
  readonly expiresAt: string
}

/**
 * Delivers password reset tokens. Called in the transaction that stores the token, so that a job made in it
 * exists if and only if the token does. If it throws, no token is stored.
 */
export type PasswordResetDelivery = (tx: Transaction, reset: PasswordReset) => Promise<void>

/** Delivers password tokens to content users; there can be only one delivery. Contribute in `register` or `init`. */
export const passwordResetDelivery: ExtensionPoint<PasswordResetDelivery> =
  extensionPoint('passwordResetDelivery')

/**
 * A password reset was requested; emitted after the commit. In production the operator's own flow delivers
 * the token.
 */
export const passwordReset: HookToken<{ userId: number; email: string; username: string; token: string }> =
  hook('auth:passwordReset')
