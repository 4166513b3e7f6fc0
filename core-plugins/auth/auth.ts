import type { TSchema } from 'typebox'
import {
  type ExtensionPoint,
  extensionPoint,
  type HookToken,
  hook,
  type ServiceToken,
  service,
} from '../../kernel/index.ts'
import type { Transaction } from '../database/database.ts'
import type { AdminPrincipal, Maker, Principal } from '../http/http.ts'

export { type SignIn, signInPage, signInScript } from './sign-in-page.ts'

export type ContentAction = 'read' | 'create' | 'update' | 'delete' | 'publish'

export type MediaAction = 'read' | 'write' | 'delete'

/** What a role may do; missing means no. Specification, "Other resources". */
export interface Permissions {
  /** By content type; `*` stands for every type that is not named. */
  readonly content: Readonly<Record<string, Readonly<Partial<Record<ContentAction, boolean>>>>>
  readonly media: Readonly<Partial<Record<MediaAction, boolean>>>
}

/** Judges what a principal may do. Answers come from memory: safe to ask on every request. */
export interface Auth {
  /** By role permissions or token scopes. An unknown type is allowed only to those who may do so on every type. */
  mayContent(principal: Principal, type: string, action: ContentAction): boolean
  mayMedia(principal: Principal, action: MediaAction): boolean
  /**
   * decisions.md, 3: admin users whose role may read the type, and tokens with `content:write`,
   * `content:publish` or `admin:*`. Everyone else sees published entries only.
   */
  seesDrafts(principal: Principal, type: string): boolean
  /** Admin users with the role `admin` or `super-admin`, and tokens with `admin:*`. */
  isAdministrator(principal: Principal): boolean
  /** Admin users with the role `super-admin`; no tokens. */
  isSuperAdmin(principal: Principal): boolean
  /** Whether the principal may use routes with access `area` and this scope. */
  mayAdminister(principal: Principal, scope: string): boolean
  /** Whether the principal may give the role to a content user. */
  mayGiveRole(principal: Principal, role: string): boolean
  readonly makers: Makers
  /** @throws AppError 401 for anonymous principals, 403 for others */
  refuse(principal: Principal): never
  /**
   * To be called in the transaction that has replaced the rows of content users past this plugin, as a restore does:
   * ends all their sessions and makes all password reset tokens worthless, in every process.
   */
  contentUsersReplaced(tx: Transaction): Promise<void>
  /** A secret key of this deployment for one purpose; another one when JWT_SECRET changes. 32 bytes. */
  keyFor(purpose: string): Uint8Array
}

/**
 * Who made things that go on acting when nobody is signed in: tokens, webhooks, releases, schedules. Such a thing may do
 * what its maker may at that very moment, and nothing once its maker is gone.
 */
export interface Makers {
  /** As a column keeps it: `admin:3`, `token:7`. @throws Error for principals that cannot make anything */
  nameOf(principal: Principal): string
  /**
   * The maker as of now, from memory like sessions; undefined where it is blocked, deleted, revoked or expired. `null`
   * stands for the service itself, and for what was made before makers were written down: they may do everything.
   */
  find(name: string | null): Maker | undefined | Promise<Maker | undefined>
  /** Who made a token, or whoever made the token that made it; everybody else stands for themselves. */
  behind(principal: Principal): Principal
}

export const authService: ServiceToken<Auth> = service('auth')

/** A content user, as far as plugins need to know one that they let in. */
export interface ContentUser {
  readonly id: number
  readonly email: string
  readonly username: string
}

/** A new session of a content user: what a login answers. */
export interface ContentUserSession {
  readonly token: string
  /** ISO 8601. */
  readonly expiresAt: string
  readonly user: Readonly<Record<string, unknown>>
}

/**
 * For plugins that let content users sign in by something else than a password. They find out who somebody is; the
 * accounts and their sessions stay with this plugin.
 */
export interface ContentUserSignIn {
  /** The schema of a session as it is answered. */
  readonly sessionSchema: TSchema
  /**
   * The user with an address that somebody has proved to be theirs, locked until the end of the transaction.
   * @throws AppError 401 for a blocked account
   */
  findByEmail(email: string, tx: Transaction): Promise<ContentUser | undefined>
  /**
   * Makes a user with the role `authenticated` and without a password; forgot-password leads to one. The username is
   * what comes closest to `name` of what is allowed and free.
   * @throws AppError 403 where registration is closed or asks for more, DatabaseError of kind `unique` where somebody
   * else was faster: it is to be tried again in another transaction
   */
  create(user: { readonly email: string; readonly name: string }, tx: Transaction): Promise<ContentUser>
  /** Makes the user's password worthless and ends all sessions. */
  removePassword(userId: number, tx: Transaction): Promise<void>
  /**
   * Signs the user in, and tells `loggedIn` or `loginFailed`.
   * @throws AppError 401 for an account that is blocked or gone, 429 while failed logins have locked it
   */
  openSession(userId: number, ip: string): Promise<ContentUserSession>
}

export const contentUserSignInService: ServiceToken<ContentUserSignIn> = service('content-user-sign-in')

/** What is asked of a new admin user. */
export interface NewAdminUser {
  readonly email: string
  readonly username: string
  readonly password: string
  readonly role: string
}

/** An admin user, as those are told who run the service. */
export interface AdminUser {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly role: string
  readonly blocked: boolean
}

/**
 * Admin users for whoever has the machine and no account to sign in with. The rules for passwords, names and roles are
 * those of the API. What is done is the caller's to record.
 */
export interface AdminRecovery {
  /** Its holder has to change the password at the next login. @throws AppError 400, 409 */
  create(user: NewAdminUser): Promise<AdminUser>
  /**
   * By e-mail address or username. Ends all sessions, forgets failed logins, and has the holder change the password at
   * the next login. @throws AppError 400, 404
   */
  resetPassword(identifier: string, password: string): Promise<AdminUser>
}

export const adminRecoveryService: ServiceToken<AdminRecovery> = service('admin-recovery')

/** A token by which a content user sets a new password. Whoever has it can: it is a secret. */
export interface PasswordReset {
  readonly userId: number
  readonly email: string
  readonly username: string
  readonly token: string
  /** From when on it is worth nothing; ISO 8601. */
  readonly expiresAt: string
}

/**
 * Delivers password reset tokens. Called in the transaction that stores the token, so that a job which is made in
 * it is there if and only if the token is. What it throws leaves no token.
 */
export type PasswordResetDelivery = (tx: Transaction, reset: PasswordReset) => Promise<void>

export const passwordResetDelivery: ExtensionPoint<PasswordResetDelivery> =
  extensionPoint('passwordResetDelivery')

/** Somebody asked for a new password, after the commit; in production the operator's own flow delivers the token. */
export const passwordReset: HookToken<{ userId: number; email: string; username: string; token: string }> =
  hook('auth:passwordReset')

/**
 * An account of one of the two systems: admin users or content users. The answer waits for those who listen to
 * these hooks, so that they may record what happened; whatever takes longer belongs in a job.
 */
export interface AccountEvent {
  readonly kind: 'admin' | 'user'
  readonly id: number
  readonly username: string
  /** The client's address. */
  readonly ip: string
}

/** Somebody signed in. */
export const loggedIn: HookToken<AccountEvent> = hook('auth:login')

/** A login was refused; `identifier` is as it was sent, and need not be that of an account. */
export const loginFailed: HookToken<{
  readonly kind: 'admin' | 'user'
  readonly identifier: string
  readonly ip: string
  /** There were too many failures before, so that the password was not even looked at. */
  readonly isLocked: boolean
}> = hook('auth:loginFailed')

/** Somebody ended a session. */
export const loggedOut: HookToken<AccountEvent> = hook('auth:logout')

/** An account has set itself a new password, knowing the old one or with a reset token. */
export const passwordChanged: HookToken<AccountEvent> = hook('auth:passwordChanged')

export type { AdminPrincipal, Maker, Principal }
