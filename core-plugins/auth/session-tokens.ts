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
}

/** Signs and verifies the JWTs of both kinds of accounts. */
export interface SessionTokens {
  readonly lifetimeSeconds: number
  sign(account: SessionAccount): { readonly token: string; readonly expiresAt: string }
  /** The claims of a valid, unexpired token; undefined for anything else. */
  verify(token: string): SessionClaims | undefined
}

export interface SessionAccount {
  readonly kind: AccountKind
  readonly id: number
  readonly role: string
  readonly tokenVersion: number
}

const algorithm = 'HS256'

/** Creates the signer and verifier for one secret. */
export function createSessionTokens(secret: string, lifetimeSeconds: number): SessionTokens {
  const signClaims = createSigner<Record<string, unknown>>({ key: secret, algorithm })
  // `algorithms` names the one that is accepted: a token with any other, or with none, is refused.
  const verifyToken = createVerifier<string>({
    key: secret,
    algorithms: [algorithm],
    requiredClaims: ['sub', 'typ', 'ver', 'jti', 'exp'],
  })
  return {
    lifetimeSeconds,
    sign({ kind, id, role, tokenVersion }) {
      const iat = Math.floor(Date.now() / 1000)
      const exp = iat + lifetimeSeconds
      const claims = { sub: String(id), typ: kind, role, ver: tokenVersion, jti: randomUUID(), iat, exp }
      return { token: signClaims(claims), expiresAt: new Date(exp * 1000).toISOString() }
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

// The signature proves that we made the token, not that this version of the service did.
function isSessionClaims(claims: unknown): claims is SessionClaims {
  const { sub, typ, ver, jti, exp } = claims as Partial<Record<keyof SessionClaims, unknown>>
  return (
    typeof sub === 'string' &&
    /^[1-9]\d{0,15}$/.test(sub) &&
    (typ === 'admin' || typ === 'user') &&
    typeof ver === 'number' &&
    typeof jti === 'string' &&
    typeof exp === 'number'
  )
}
