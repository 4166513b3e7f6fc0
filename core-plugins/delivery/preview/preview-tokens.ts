import { createSigner, createVerifier, TokenError } from 'fast-jwt'

/** The claims of a token: the draft of one entry, on behalf of the token's maker. */
export interface PreviewClaims {
  readonly type: string
  readonly id: number
  /** The maker in the format of `Makers`, with the session in which the token was made. */
  readonly maker: string
}

/** Signs and verifies tokens for previews; they are not stored. */
export interface PreviewTokens {
  sign(claims: PreviewClaims): { readonly token: string; readonly expiresAt: string }
  /** The claims of a valid token, or `expired` for a formerly valid one; undefined for anything else. */
  verify(token: string): PreviewClaims | 'expired' | undefined
}

const algorithm = 'HS256'
const lifetimeSeconds = 10 * 60

/** `key` is used only for this purpose, so that no token can be mistaken for another kind. */
export function createPreviewTokens(key: Uint8Array): PreviewTokens {
  const secret = Buffer.from(key)
  const signClaims = createSigner<Record<string, unknown>>({ key: secret, algorithm })
  const verifyToken = createVerifier<string>({
    key: secret,
    algorithms: [algorithm],
    requiredClaims: ['exp'],
  })
  return {
    sign(claims) {
      const exp = Math.floor(Date.now() / 1000) + lifetimeSeconds
      return { token: signClaims({ ...claims, exp }), expiresAt: new Date(exp * 1000).toISOString() }
    },
    verify(token) {
      try {
        const claims: unknown = verifyToken(token)
        return isPreviewClaims(claims) ? claims : undefined
      } catch (error) {
        // Only reported for tokens whose signature has been verified.
        const isExpired = error instanceof TokenError && error.code === TokenError.codes.expired
        return isExpired ? 'expired' : undefined
      }
    },
  }
}

function isPreviewClaims(claims: unknown): claims is PreviewClaims {
  const { type, id, maker } = claims as Partial<Record<keyof PreviewClaims, unknown>>
  return typeof type === 'string' && Number.isSafeInteger(id) && typeof maker === 'string'
}
