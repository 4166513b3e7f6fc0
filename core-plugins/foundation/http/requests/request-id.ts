import { randomBytes } from 'node:crypto'

const processPart = randomBytes(6).toString('base64url')

const safeId = /^[\w.:/+=@-]{1,128}$/

let count = 0

/** Returns the caller's own id if it is safe in logs and headers, otherwise a new unique one. */
export function requestIdOf(incoming: string | undefined): string {
  if (incoming !== undefined && safeId.test(incoming)) return incoming
  count++
  return `${processPart}-${count.toString(36)}`
}
