import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** A sign-in in progress, kept by the browser until the provider redirects it back. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  /** The callback URL that the provider was given. */
  readonly redirectUri: string
  /** The frontend page that gets the token; if undefined, the callback returns it. */
  readonly returnTo?: string | undefined
  /** Epoch milliseconds. */
  readonly expiresAtMs: number
}

/** How long a user may take at the provider. */
export const attemptLifetimeMs = 10 * 60_000

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** Encrypts attempts, so that a browser can keep them, but can neither read, change nor forge them. */
export interface AttemptSeal {
  seal(provider: string, attempt: Attempt): string
  /** Undefined for a value not sealed here, for another provider, or too long ago. */
  open(provider: string, sealed: string): Attempt | undefined
}

/** Creates the seal with a key of 32 bytes. */
export function createAttemptSeal(key: Uint8Array): AttemptSeal {
  return {
    seal(provider, attempt) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(provider))
      const text = Buffer.concat([cipher.update(JSON.stringify(attempt), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    open(provider, sealed) {
      const attempt = decrypt(key, provider, Buffer.from(sealed, 'base64url'))
      return attempt === undefined || attempt.expiresAtMs <= Date.now() ? undefined : attempt
    },
  }
}

function decrypt(key: Uint8Array, provider: string, sealed: Buffer): Attempt | undefined {
  const textStart = ivBytes + tagBytes
  if (sealed.length <= textStart) return undefined
  try {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(provider)).setAuthTag(sealed.subarray(ivBytes, textStart))
    const text = Buffer.concat([decipher.update(sealed.subarray(textStart)), decipher.final()])
    return JSON.parse(text.toString('utf8')) as Attempt
  } catch {
    return undefined
  }
}
