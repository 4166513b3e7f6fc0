import { createHmac } from 'node:crypto'

/*
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md: beside the headers of the
 * service, for receivers that verify by a library.
 */

export interface SignedBody {
  /** The same over all attempts. */
  readonly id: string
  readonly body: Uint8Array
  readonly secret: string | null
}

/** Their names, in lower case. */
export const standardHeaderNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

type StandardHeaders = Partial<Record<(typeof standardHeaderNames)[number], string>>

/** The timestamp is that of the attempt, because receivers refuse old ones. */
export function standardHeaders({ id, body, secret }: SignedBody, now: Date): StandardHeaders {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === null) return headers
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body)
  return { ...headers, 'webhook-signature': `v1,${signature.digest('base64')}` }
}

const prefix = 'whsec_'
const [minBytes, maxBytes] = [24, 64]

/** Secrets of the standard are bytes in base64; any other one is its text, which libraries call raw. */
function keyOf(secret: string): Buffer {
  return bytesIn(secret) ?? Buffer.from(secret)
}

/** Undefined for a secret that is not of the standard. */
function bytesIn(secret: string): Buffer | undefined {
  if (!secret.startsWith(prefix)) return undefined
  const text = secret.slice(prefix.length)
  const bytes = Buffer.from(text, 'base64')
  const isWhole = bytes.toString('base64').replaceAll('=', '') === text.replaceAll('=', '')
  return isWhole && bytes.length >= minBytes && bytes.length <= maxBytes ? bytes : undefined
}

/** What is wrong with a secret that looks like one of the standard: receivers could not use it. */
export function secretProblem(secret: string): string | undefined {
  if (!secret.startsWith(prefix) || bytesIn(secret) !== undefined) return undefined
  return `begins with ${prefix}, so ${minBytes} to ${maxBytes} bytes in base64 must follow`
}
