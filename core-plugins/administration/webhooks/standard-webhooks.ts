import { createHmac } from 'node:crypto'

/*
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md: sent in addition to the
 * service's own headers, for receivers that verify signatures with a library.
 */

export interface SignedBody {
  /** The same for all attempts. */
  readonly id: string
  readonly body: Uint8Array
  readonly secret: string | null
}

/** Header names in lower case. */
export const standardHeaderNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

type StandardHeaders = Partial<Record<(typeof standardHeaderNames)[number], string>>

/** The timestamp is the time of the attempt, since receivers refuse old ones. */
export function standardHeaders({ id, body, secret }: SignedBody, now: Date): StandardHeaders {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === null) return headers
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body)
  return { ...headers, 'webhook-signature': `v1,${signature.digest('base64')}` }
}

const prefix = 'whsec_'
const [minBytes, maxBytes] = [24, 64]

/** Secrets in the standard's format are bytes in base64; all others are used as text, which libraries call raw. */
function keyOf(secret: string): Buffer {
  return bytesIn(secret) ?? Buffer.from(secret)
}

/** Undefined for a secret that is not in the standard's format. */
function bytesIn(secret: string): Buffer | undefined {
  if (!secret.startsWith(prefix)) return undefined
  const text = secret.slice(prefix.length)
  const bytes = Buffer.from(text, 'base64')
  const isWhole = bytes.toString('base64').replaceAll('=', '') === text.replaceAll('=', '')
  return isWhole && bytes.length >= minBytes && bytes.length <= maxBytes ? bytes : undefined
}

/** The problem of a secret that looks like one of the standard but that receivers could not decode. */
export function secretProblem(secret: string): string | undefined {
  if (!secret.startsWith(prefix) || bytesIn(secret) !== undefined) return undefined
  return `begins with ${prefix}, so ${minBytes} to ${maxBytes} bytes in base64 must follow`
}
