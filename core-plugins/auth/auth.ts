import { type HookToken, hook, type ServiceToken, service } from '../../kernel/index.ts'
import type { AdminPrincipal, Principal } from '../http/http.ts'

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
  /** @throws AppError 401 for anonymous principals, 403 for others */
  refuse(principal: Principal): never
}

export const authService: ServiceToken<Auth> = service('auth')

/** Somebody asked for a new password; in production the operator's own flow delivers the token. */
export const passwordReset: HookToken<{ userId: number; email: string; username: string; token: string }> =
  hook('auth:passwordReset')

/** An account of one of the two systems: admin users or content users. */
export interface AccountEvent {
  readonly kind: 'admin' | 'user'
  readonly id: number
  readonly username: string
}

/** Somebody signed in with a password. */
export const loggedIn: HookToken<AccountEvent & { readonly ip: string }> = hook('auth:login')

/** A login was refused; `identifier` is as it was sent, and need not be that of an account. */
export const loginFailed: HookToken<{
  readonly kind: 'admin' | 'user'
  readonly identifier: string
  readonly ip: string
}> = hook('auth:loginFailed')

/** Somebody ended a session. */
export const loggedOut: HookToken<AccountEvent> = hook('auth:logout')

/** An account has set itself a new password, knowing the old one or with a reset token. */
export const passwordChanged: HookToken<AccountEvent> = hook('auth:passwordChanged')

export type { AdminPrincipal, Principal }
