import { type Awaitable, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import type { Maker, Principal } from '../../foundation/http/http.ts'

/** What a role may do with the entries of a type. */
export type ContentAction = 'read' | 'create' | 'update' | 'delete' | 'publish'

/** What a role may do with the media library. */
export type MediaAction = 'read' | 'write' | 'delete'

/** What a role may do; anything missing is denied. Specification, "Other resources". */
export interface Permissions {
  /** By content type; `*` applies to every type that is not named. */
  readonly content: Readonly<Record<string, Readonly<Partial<Record<ContentAction, boolean>>>>>
  readonly media: Readonly<Partial<Record<MediaAction, boolean>>>
}

/** Checks what a principal may do. Answers from memory: cheap enough for every request. */
export interface Auth {
  /**
   * Checks the permissions of the role or the scopes of the token. For an unknown type, the action must be allowed on every
   * type.
   */
  mayContent(principal: Principal, type: string, action: ContentAction): boolean
  mayMedia(principal: Principal, action: MediaAction): boolean
  /**
   * Admin users whose role may read the type, and tokens with `content:write`,
   * `content:publish` or `admin:*`. Everyone else sees published entries only.
   */
  seesDrafts(principal: Principal, type: string): boolean
  /** Admin users with the role `admin` or `super-admin`, and tokens with `admin:*`. */
  isAdministrator(principal: Principal): boolean
  /** Admin users with the role `super-admin`; no tokens. */
  isSuperAdmin(principal: Principal): boolean
  /** Whether the principal may use routes with access `area` and this scope. */
  mayAdminister(principal: Principal, scope: string): boolean
  /**
   * Whether the principal may know the sign-in names of admin users: admin users know each other's, and tokens with
   * `admin:users:read` can list them.
   */
  knowsAdminNames(principal: Principal): boolean
  /** Whether the principal may assign the role to a content user. */
  mayGiveRole(principal: Principal, role: string): boolean
  readonly makers: Makers
  /**
   * The principal that an `Authorization` header represents now; undefined if it is no longer valid. For responses that
   * outlive the check of their request, such as streams.
   */
  principalOf(authorization: string): Awaitable<Principal | undefined>
  /**
   * Resolves when the permissions in memory are at most a second old. Happens automatically for requests; needed for work
   * outside of them.
   */
  freshen(): Awaitable<void>
  /** Calls the listener whenever the permissions of roles may have changed, in any process. Call it before the service starts. */
  onRolesChange(listener: () => void): void
  /** @throws AppError 401 for anonymous principals, 403 for others */
  refuse(principal: Principal): never
  /**
   * Must be called in the transaction that has replaced the rows of content users without this plugin, as a
   * restore does: ends all their sessions and invalidates all password reset tokens, in every process.
   */
  contentUsersReplaced(tx: Transaction): Promise<void>
  /** A secret key of this deployment for one purpose, 32 bytes; it changes with JWT_SECRET. */
  keyFor(purpose: string): Uint8Array
}

/**
 * The makers of things that act without a signed-in user: tokens, webhooks, releases, schedules. Such a thing has the present
 * permissions of its maker, and none once the maker no longer exists.
 */
export interface Makers {
  /** As stored in a column: `admin:3`, `token:7`. @throws Error for principals that cannot make anything */
  nameOf(principal: Principal): string
  /**
   * Like `nameOf`, for things that must not outlive the session in which they are made: `admin:3:17`, to be stored for a short
   * time only.
   * @throws AppError 401 if the session has ended
   */
  nameInSession(principal: Principal, authorization: string): Promise<string>
  /**
   * The maker's current principal, cached like sessions; undefined if it is blocked, deleted, revoked or expired, or if the
   * session in its name has ended. `null` is the service itself, also for things older than the recording of makers, and has
   * all permissions.
   */
  find(name: string | null): Maker | undefined | Promise<Maker | undefined>
  /** The principal at the beginning of a token's chain of makers; any other principal is its own maker. */
  behind(principal: Principal): Principal
}

/** Accounts and permissions: identifies callers, and says what they may do. */
export const authService: ServiceToken<Auth> = service('auth')
