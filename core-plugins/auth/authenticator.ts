import { LRUCache } from 'lru-cache'
import type { Log } from '../../kernel/index.ts'
import type { Authenticator, AuthenticatorRequest, Principal } from '../http/http.ts'
import type { AccessState } from './access-state.ts'
import type { Account, Accounts } from './accounts.ts'
import { type ApiToken, type ApiTokens, isApiToken } from './api-tokens.ts'
import { unauthenticated } from './judge.ts'
import type { KnownMakers } from './makers.ts'
import type { RevokedTokens } from './revoked-tokens.ts'
import { cookieToken, takesCookie } from './session-cookie.ts'
import type { AccountKind, SessionClaims, SessionTokens } from './session-tokens.ts'

export interface AuthenticatorOptions {
  readonly state: AccessState
  readonly sessions: SessionTokens
  readonly revoked: RevokedTokens
  readonly apiTokens: ApiTokens
  readonly makers: KnownMakers
  readonly accounts: Readonly<Record<AccountKind, Accounts>>
  readonly log: Log
}

/** What is remembered about a credential. */
interface Known {
  readonly principal: Principal
  /** Epoch milliseconds from which on it does not count. */
  readonly validUntilMs: number
  /** When its use was last noted; API tokens only. */
  notedAtMs: number
}

const maxKnown = 10_000
const maxCredentialLength = 4096
const noteUseEveryMs = 60_000

/**
 * Tells who a bearer token or the panel's cookie stands for. A credential that was seen before is answered
 * at once from memory, which the access state empties whenever any of them might be revoked.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { state } = options
  const known = new LRUCache<string, Known>({ max: maxKnown })
  // Roles too: a role that was renamed goes on under its new name.
  for (const topic of ['sessions', 'roles'] as const) state.onChange(topic, () => known.clear())

  async function resolve(credential: string): Promise<Principal> {
    const { generation } = state
    const found = await lookUp(credential, options)
    // A change while we were reading may have been about this very credential.
    if (generation === state.generation) known.set(credential, found)
    noteUse(found)
    return found.principal
  }

  function answer(credential: string): Principal | Promise<Principal> {
    const found = known.get(credential)
    if (found === undefined || found.validUntilMs <= Date.now()) return resolve(credential)
    noteUse(found)
    return found.principal
  }

  function noteUse(found: Known): void {
    const nowMs = Date.now()
    if (found.principal.kind !== 'token' || nowMs - found.notedAtMs < noteUseEveryMs) return
    found.notedAtMs = nowMs
    options.apiTokens
      .recordUse(found.principal.id)
      .catch((error) => options.log.warn({ err: error }, 'the use of an API token was not noted'))
  }

  return {
    headersFor: (route) => (takesCookie(route) ? ['cookie'] : []),
    authenticate(request) {
      // Probes answer without a database, and nobody needs to be known for them.
      if (request.route.isProbe) return undefined
      const credential = credentialOf(request)
      const waiting = state.freshen()
      if (credential === undefined) return waiting?.then(() => undefined)
      return waiting === undefined ? answer(credential) : waiting.then(() => answer(credential))
    },
  }
}

/** The bearer token of a request. */
export function bearerToken(request: Pick<AuthenticatorRequest, 'header'>): string | undefined {
  return tokenIn(request.header('authorization') ?? '')
}

function tokenIn(credential: string): string | undefined {
  return /^bearer (\S+)$/i.exec(credential)?.[1]
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
  return { principal: accountPrincipal(claims.typ, account), validUntilMs, notedAtMs: 0 }
}

async function lookUpApiToken(value: string, options: AuthenticatorOptions): Promise<Known | undefined> {
  const apiToken = await options.apiTokens.findByValue(value)
  const found = apiToken && (await options.makers.tokenPrincipal(apiToken))
  if (apiToken === undefined || found === undefined) return undefined
  const { maker: principal, validUntilMs } = found
  return { principal, validUntilMs, notedAtMs: lastNoted(apiToken) }
}

function isCurrent(account: Account, claims: SessionClaims): boolean {
  return !account.blocked && account.tokenVersion === claims.ver
}

/** The caller that an account is. */
export function accountPrincipal(kind: AccountKind, { id, username, role }: Account): Principal {
  return Object.freeze({ kind, id, username, role })
}

function lastNoted({ lastUsedAt }: ApiToken): number {
  return lastUsedAt === null ? 0 : Date.parse(lastUsedAt)
}
