import { randomUUID } from 'node:crypto'
import { createSigner, createVerifier } from 'fast-jwt'

/** Which of the two account systems a token belongs to. */
export type AccountKind = 'admin' | 'user'

/** See docs/auth.md. */
export interface SessionClaims {
  /** The account's id. */
  readonly sub: string
  readonly typ: AccountKind
  readonly role: string
  /** The account's token version when it was signed; a later version revokes it. */
  readonly ver: number
  readonly jti: string
  /** Seconds since the epoch. */
  readonly iat: number
  readonly exp: number
  /** When the session ends, of a brief token that belongs to a session: revoking either ends both. */
  readonly until?: number
}

/** Signs and verifies the JWTs of both kinds of accounts. */
export interface SessionTokens {
  readonly lifetimeSeconds: number
  sign(account: SessionAccount): { readonly token: string; readonly expiresAt: string }
  /** A token of the same session that lasts for `seconds` at most, and never longer than the session. */
  signBrief(session: SessionClaims, seconds: number): { readonly token: string; readonly expiresAt: string }
  /** The claims of a valid, unexpired token; undefined for anything else. */
  verify(token: string): SessionClaims | undefined
}

export interface SessionAccount {
  readonly kind: AccountKind
  readonly id: number
  readonly role: string
  readonly tokenVersion: number
  /** Names the session; made up by default. */
  readonly jti?: string | undefined
}

const algorithm = 'HS256'

/** Creates the signer and verifier for one secret. */
export function createSessionTokens(secret: string, lifetimeSeconds: number): SessionTokens {
  const signClaims = createSigner<Record<string, unknown>>({ key: secret, algorithm })
  // Tokens with another algorithm than the one in `algorithms`, or without one, are refused.
  const verifyToken = createVerifier<string>({
    key: secret,
    algorithms: [algorithm],
    requiredClaims: ['sub', 'typ', 'ver', 'jti', 'exp'],
  })
  const signed = (claims: SessionClaims) => ({
    token: signClaims({ ...claims }),
    expiresAt: new Date(claims.exp * 1000).toISOString(),
  })
  return {
    lifetimeSeconds,
    sign({ kind, id, role, tokenVersion, jti = randomUUID() }) {
      const iat = Math.floor(Date.now() / 1000)
      const exp = iat + lifetimeSeconds
      return signed({ sub: String(id), typ: kind, role, ver: tokenVersion, jti, iat, exp })
    },
    signBrief({ sub, typ, role, ver, jti, ...session }, seconds) {
      const iat = Math.floor(Date.now() / 1000)
      const until = sessionEnd(session)
      return signed({ sub, typ, role, ver, jti, iat, exp: Math.min(iat + seconds, until), until })
    },
    verify(token) {
      try {
        const claims: unknown = verifyToken(token)
        return isSessionClaims(claims) ? claims : undefined
      } catch {
        return undefined
      }
    },
  }
}

/** When the session of a token ends, in seconds since the epoch. */
export function sessionEnd({ exp, until = exp }: Pick<SessionClaims, 'exp' | 'until'>): number {
  return until
}

// The signature proves that we made the token, not that this version of the service did.
function isSessionClaims(claims: unknown): claims is SessionClaims {
  const { sub, typ, ver, jti, exp, until } = claims as Partial<Record<keyof SessionClaims, unknown>>
  return (
    typeof sub === 'string' &&
    /^[1-9]\d{0,15}$/.test(sub) &&
    (typ === 'admin' || typ === 'user') &&
    typeof ver === 'number' &&
    typeof jti === 'string' &&
    typeof exp === 'number' &&
    (until === undefined || typeof until === 'number')
  )
}
