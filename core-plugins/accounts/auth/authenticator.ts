import { LRUCache } from 'lru-cache'
import { type Awaitable, andThen, type Log, orElse, upTo } from '../../../kernel/index.ts'
import {
  AppError,
  type Authenticator,
  type AuthenticatorRequest,
  type Principal,
} from '../../foundation/http/http.ts'
import type { Account, Accounts } from './accounts/accounts.ts'
import type { AccessState } from './roles/access-state.ts'
import { unauthenticated } from './roles/authorization.ts'
import type { AdminSessions } from './sessions/admin-sessions.ts'
import { tokenIn } from './sessions/bearer-token.ts'
import type { RevokedTokens } from './sessions/revoked-tokens.ts'
import { cookieToken, takesCookie } from './sessions/session-cookie.ts'
import type { AccountKind, SessionClaims, SessionTokens } from './sessions/session-tokens.ts'
import type { ApiToken } from './tables.ts'
import { type ApiTokens, isApiToken } from './tokens/api-tokens.ts'
import type { KnownMakers } from './tokens/makers.ts'

export interface AuthenticatorOptions {
  readonly state: AccessState
  readonly sessions: SessionTokens
  readonly revoked: RevokedTokens
  readonly apiTokens: ApiTokens
  readonly adminSessions: AdminSessions
  readonly makers: KnownMakers
  readonly accounts: Readonly<Record<AccountKind, Accounts>>
  readonly log: Log
}

/** Authenticates requests, and credentials at later times. */
export interface CredentialAuthenticator extends Authenticator {
  /** See `Auth`. */
  principalOf(authorization: string): Awaitable<Principal | undefined>
}

/** The cached data of a credential. */
interface Known {
  readonly principal: Principal
  /** The time in epoch milliseconds from which it is no longer valid. */
  readonly validUntilMs: number
  /** Records its use, for API tokens and sessions of admin users. */
  readonly recordUse?: (address: string) => Promise<void>
  /** The time at which its use was last recorded. */
  notedAtMs: number
}

/** The sender of a credential. Its address is read only if the use is recorded. */
type Caller = Pick<AuthenticatorRequest, 'ip'>

const maxKnown = 10_000
const maxCredentialLength = 4096
const noteUseEveryMs = 60_000

/**
 * Resolves a bearer token or the panel's cookie to a principal. A known credential is answered at once from
 * memory, which the access state clears whenever any of them might have been revoked.
 */
export function createAuthenticator(options: AuthenticatorOptions): CredentialAuthenticator {
  const { state } = options
  const known = new LRUCache<string, Known>(upTo(maxKnown))
  // Roles too: a renamed role continues under its new name.
  for (const topic of ['sessions', 'roles'] as const) state.onChange(topic, () => known.clear())

  async function resolve(credential: string, caller?: Caller): Promise<Principal> {
    const { generation } = state
    const found = await lookUp(credential, options)
    // If there was a change during the lookup, it may concern this credential.
    if (generation === state.generation) known.set(credential, found)
    noteUse(found, caller)
    return found.principal
  }

  function answer(credential: string, caller?: Caller): Awaitable<Principal> {
    const found = known.get(credential)
    if (found === undefined || found.validUntilMs <= Date.now()) return resolve(credential, caller)
    noteUse(found, caller)
    return found.principal
  }

  /** A later check of a credential, without a request, does not count as use. */
  function noteUse(found: Known, caller: Caller | undefined): void {
    if (found.recordUse === undefined || caller === undefined) return
    const nowMs = Date.now()
    if (nowMs - found.notedAtMs < noteUseEveryMs) return
    found.notedAtMs = nowMs
    found
      .recordUse(caller.ip)
      .catch((error) => options.log.warn({ err: error }, 'failed to record the use of a credential'))
  }

  return {
    headersFor: (route) => (takesCookie(route) ? ['cookie'] : []),
    authenticate(request) {
      // Probes are answered without a database and need no principal.
      if (request.route.isProbe) return undefined
      const credential = credentialOf(request)
      return andThen(state.freshen(), () =>
        credential === undefined ? undefined : answer(credential, request),
      )
    },
    principalOf: (authorization) =>
      orElse(
        () => andThen(state.freshen(), () => answer(authorization)),
        (error) => {
          if (error instanceof AppError && error.status === 401) return undefined
          throw error
        },
      ),
  }
}

function credentialOf(request: AuthenticatorRequest): string | undefined {
  return request.header('authorization') ?? cookieCredential(request)
}

function cookieCredential(request: AuthenticatorRequest): string | undefined {
  const token = cookieToken(request)
  return token === undefined ? undefined : `Bearer ${token}`
}

async function lookUp(credential: string, options: AuthenticatorOptions): Promise<Known> {
  const token = credential.length > maxCredentialLength ? undefined : tokenIn(credential)
  if (token === undefined) throw unauthenticated('send the header Authorization: Bearer <token>')
  const found = isApiToken(token) ? await lookUpApiToken(token, options) : await lookUpSession(token, options)
  if (found === undefined) throw unauthenticated('the token is not valid, has expired or was revoked')
  return found
}

async function lookUpSession(token: string, options: AuthenticatorOptions): Promise<Known | undefined> {
  const claims = options.sessions.verify(token)
  if (claims === undefined) return undefined
  const [account, revokedFromMs] = await Promise.all([
    options.accounts[claims.typ].find(Number(claims.sub)),
    options.revoked.revokedFromMs(claims.jti),
  ])
  const validUntilMs = Math.min(claims.exp * 1000, revokedFromMs ?? Number.POSITIVE_INFINITY)
  if (account === undefined || !isCurrent(account, claims) || validUntilMs <= Date.now()) return undefined
  const principal = accountPrincipal(claims.typ, account)
  if (claims.typ !== 'admin') return { principal, validUntilMs, notedAtMs: 0 }
  const recordUse = (address: string) => options.adminSessions.recordUse(claims.jti, address)
  return { principal, validUntilMs, notedAtMs: 0, recordUse }
}

async function lookUpApiToken(value: string, options: AuthenticatorOptions): Promise<Known | undefined> {
  const apiToken = await options.apiTokens.findByValue(value)
  const found = apiToken && (await options.makers.tokenPrincipal(apiToken))
  if (apiToken === undefined || found === undefined) return undefined
  const { maker: principal, validUntilMs } = found
  const recordUse = () => options.apiTokens.recordUse(apiToken)
  return { principal, validUntilMs, notedAtMs: lastNoted(apiToken), recordUse }
}

function isCurrent(account: Account, claims: SessionClaims): boolean {
  return !account.blocked && account.tokenVersion === claims.ver
}

/** The principal of an account. */
export function accountPrincipal(kind: AccountKind, { id, username, role }: Account): Principal {
  return Object.freeze({ kind, id, username, role })
}

function lastNoted({ lastUsedAt }: ApiToken): number {
  return lastUsedAt === null ? 0 : Date.parse(lastUsedAt)
}
