import { LRUCache } from 'lru-cache'
import { type Awaitable, andThen, upTo } from '../../../../kernel/index.ts'
import { AppError, type Maker, type Principal } from '../../../foundation/http/http.ts'
import type { Account, Accounts } from '../accounts/accounts.ts'
import type { Makers } from '../auth-service.ts'
import type { AccessState } from '../roles/access-state.ts'
import { unauthenticated } from '../roles/authorization.ts'
import type { AdminSessions } from '../sessions/admin-sessions.ts'
import { tokenIn } from '../sessions/bearer-token.ts'
import type { RevokedTokens } from '../sessions/revoked-tokens.ts'
import type { SessionTokens } from '../sessions/session-tokens.ts'
import type { ApiTokens, HeldToken } from './api-tokens.ts'
import { fullAccess } from './scopes.ts'

/** A maker, and until when it is valid at most, in epoch milliseconds. */
export interface LastingMaker<M extends Maker = Maker> {
  readonly maker: M
  readonly validUntilMs: number
}

export interface MakersOptions {
  readonly state: AccessState
  readonly apiTokens: ApiTokens
  readonly adminUsers: Accounts
  readonly adminSessions: AdminSessions
  readonly revoked: RevokedTokens
  readonly sessions: SessionTokens
}

/** The service for other plugins, and for the lookup of credentials. */
export interface KnownMakers extends Makers {
  /** The principal of a token; undefined if it or its maker is no longer valid. */
  tokenPrincipal(token: HeldToken): Promise<LastingMaker | undefined>
}

/** The maximum length of a chain of tokens that were made by tokens. */
export const maxChain = 8

const maxKnown = 10_000

/** The maker of things older than the recording of makers, and of the service's own actions. */
const service: Maker = Object.freeze({
  kind: 'token',
  id: 0,
  name: 'service',
  scopes: new Set([fullAccess]),
})

/** Caches makers like credentials, until the access of any principal changes. */
export function createMakers(options: MakersOptions): KnownMakers {
  const { state, apiTokens, adminUsers, adminSessions, sessions } = options
  const known = new LRUCache<string, { found: LastingMaker | undefined }>(upTo(maxKnown))
  for (const topic of ['sessions', 'roles'] as const) state.onChange(topic, () => known.clear())

  async function tokenPrincipal(token: HeldToken, links = 0): Promise<LastingMaker | undefined> {
    const { id, name, scopes, expiresAt, madeBy, former } = token
    const ownEndMs = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
    if (ownEndMs <= Date.now()) return undefined
    const limits = former?.hasLostMaker === true ? { makesNothing: true } : {}
    const principal = { kind: 'token', id, name, scopes: new Set(scopes), ...limits } as const
    if (madeBy === null) return { maker: Object.freeze(principal), validUntilMs: ownEndMs }
    const made = links < maxChain ? await lookUp(madeBy, links + 1) : undefined
    if (made === undefined) return undefined
    const maker = Object.freeze({ ...principal, maker: made.maker })
    return { maker, validUntilMs: Math.min(ownEndMs, made.validUntilMs) }
  }

  async function lookUp(name: string, links: number): Promise<LastingMaker | undefined> {
    const [kind, id, session] = name.split(':')
    if (kind === 'token') {
      const token = await apiTokens.find(Number(id))
      return token && tokenPrincipal(token, links)
    }
    const account = await adminUsers.find(Number(id))
    if (account === undefined || account.blocked) return undefined
    const validUntilMs =
      session === undefined ? Number.POSITIVE_INFINITY : await sessionEndMs(account, Number(session), options)
    return validUntilMs === undefined ? undefined : { maker: adminPrincipal(account), validUntilMs }
  }

  async function resolve(name: string): Promise<Maker | undefined> {
    const { generation } = state
    const found = await lookUp(name, 0)
    // If there was a change during the lookup, it may concern this maker.
    if (generation === state.generation) known.set(name, { found })
    return found?.maker
  }

  function answer(name: string): Awaitable<Maker | undefined> {
    const entry = known.get(name)
    if (entry === undefined) return resolve(name)
    return entry.found !== undefined && entry.found.validUntilMs > Date.now() ? entry.found.maker : undefined
  }

  return {
    nameOf,
    async nameInSession(principal, authorization) {
      if (principal.kind !== 'admin') return nameOf(principal)
      const claims = sessions.verify(tokenIn(authorization) ?? '')
      const session = claims && (await adminSessions.findByToken(claims.jti))
      if (session === undefined) throw unauthenticated('the session has ended or was renewed')
      return `${nameOf(principal)}:${session.id}`
    },
    find(name) {
      if (name === null) return service
      return andThen(state.freshen(), () => answer(name))
    },
    behind,
    tokenPrincipal,
  }
}

/** When a session expires, in epoch milliseconds; undefined if it has ended. */
async function sessionEndMs(
  account: Account,
  id: number,
  { adminSessions, revoked }: MakersOptions,
): Promise<number | undefined> {
  const session = await adminSessions.find(account, id)
  // The session's row is deleted after its token is revoked. A token about to be revoked is being renewed.
  const revokedFromMs = session && (await revoked.revokedFromMs(session.jti))
  const hasEnded = session === undefined || (revokedFromMs !== undefined && revokedFromMs <= Date.now())
  return hasEnded ? undefined : Date.parse(session.expiresAt)
}

function behind(principal: Principal): Principal {
  if (principal.kind !== 'token') return principal
  return principal.maker === undefined ? service : behind(principal.maker)
}

function nameOf(principal: Principal): string {
  if (principal.kind === 'token' && principal.makesNothing) {
    throw AppError.forbidden(
      'a former value of a token that has another maker by now makes nothing; use the new one',
    )
  }
  if (principal.kind === 'admin' || (principal.kind === 'token' && principal.id !== 0)) {
    return `${principal.kind}:${principal.id}`
  }
  throw new Error(`a caller of the kind ${principal.kind} makes nothing that acts for it`)
}

/** The principal of an admin user. */
function adminPrincipal({ id, username, role }: Account): Maker {
  return Object.freeze({ kind: 'admin', id, username, role })
}

/** The makers of a principal, nearest first, starting with the principal itself. */
export function chainOf(principal: Principal): readonly Principal[] {
  if (principal.kind !== 'token' || principal.maker === undefined) return [principal]
  return [principal, ...chainOf(principal.maker)]
}
