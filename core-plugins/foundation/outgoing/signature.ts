import { createHmac } from 'node:crypto'

/** Specification, "Events", 3: hexadecimal HMAC-SHA256 of exactly the bytes that are sent. */
export function signatureOf(body: Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex')
}
