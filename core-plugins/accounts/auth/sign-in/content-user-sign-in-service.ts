import type { TSchema } from 'typebox'
import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { Transaction } from '../../../foundation/database/database.ts'

/** A content user as other plugins see it. */
export interface ContentUser {
  readonly id: number
  readonly email: string
  readonly username: string
}

/** A new session of a content user: the response of a login. */
export interface ContentUserSession {
  readonly token: string
  /** ISO 8601. */
  readonly expiresAt: string
  readonly user: Readonly<Record<string, unknown>>
}

/**
 * For plugins that let content users sign in without a password. They identify the person; accounts and
 * sessions stay with this plugin.
 */
export interface ContentUserSignIn {
  /** The schema of a session in responses. */
  readonly sessionSchema: TSchema
  /**
   * The user with an address that is proved to belong to the caller; the row is locked until the end of the transaction.
   * @throws AppError 401 for a blocked account
   */
  findByEmail(email: string, tx: Transaction): Promise<ContentUser | undefined>
  /**
   * Creates a user with the role `authenticated` and without a password; forgot-password can set one. The
   * username is the allowed and free one closest to `name`.
   * @throws AppError 403 if registration is closed or requires more, DatabaseError of kind `unique` if
   * another request was faster: retry in another transaction
   */
  create(user: { readonly email: string; readonly name: string }, tx: Transaction): Promise<ContentUser>
  /**
   * The user with an address, or a new one without a password, even if registration is closed; for users of another system.
   * The username is the closest free and allowed one.
   */
  adopt(
    user: { readonly email: string; readonly username: string; readonly blocked: boolean },
    tx: Transaction,
  ): Promise<ContentUser>
  /** Invalidates the user's password and ends all sessions. */
  removePassword(userId: number, tx: Transaction): Promise<void>
  /**
   * Signs the user in, and emits `loggedIn` or `loginFailed`.
   * @throws AppError 401 for a blocked or deleted account, 429 while failed logins have locked it
   */
  openSession(userId: number, ip: string): Promise<ContentUserSession>
}

export const contentUserSignInService: ServiceToken<ContentUserSignIn> = service('content-user-sign-in')
