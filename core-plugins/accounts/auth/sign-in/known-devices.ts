import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** A browser in which an admin user has signed in before, identified by its cookie. */
export interface KnownDevice {
  readonly accountId: number
  /** Unique per device. */
  readonly name: string
}

/**
 * Browsers that admin users have signed in with. Their failed logins are counted separately, so that an
 * administrator cannot be locked out by deliberate failures of others. The cookie proves no more than that: it does not sign
 * anybody in.
 */
export interface KnownDevices {
  /** The device of a `Cookie` header; undefined for an unknown, expired or forged one. */
  read(cookies: string | undefined): KnownDevice | undefined
  /** The `Set-Cookie` header for a browser that has signed in; it keeps its device name. */
  remember(accountId: number, name: string | undefined): string
}

const cookieName = 'mortise_device'
const pattern = /(?:^|;\s*)mortise_device=(\d+\.[\w-]+\.\d+)\.([\w-]+)(?:;|$)/

const lifetimeSeconds = 180 * 86_400

/** `key` signs the cookies; `isSecure` keeps them off unencrypted connections. */
export function createKnownDevices(key: Buffer, isSecure: boolean): KnownDevices {
  const sign = (content: string) => createHmac('sha256', key).update(content).digest('base64url')

  return {
    read(cookies) {
      const [, content = '', signature = ''] = pattern.exec(cookies ?? '') ?? []
      if (!isEqual(sign(content), signature)) return undefined
      const [accountId, name = '', expiresAt] = content.split('.')
      return Number(expiresAt) > nowSeconds() ? { accountId: Number(accountId), name } : undefined
    },
    remember(accountId, name = randomBytes(12).toString('base64url')) {
      const content = `${accountId}.${name}.${nowSeconds() + lifetimeSeconds}`
      const attributes = `Path=/; Max-Age=${lifetimeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
      return `${cookieName}=${content}.${sign(content)}; ${attributes}`
    },
  }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

function isEqual(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)]
  return left.length === right.length && timingSafeEqual(left, right)
}
