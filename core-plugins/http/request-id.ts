import { randomBytes } from 'node:crypto'

const processPart = randomBytes(6).toString('base64url')

const safeId = /^[\w.:/+=@-]{1,128}$/

let count = 0

/** The caller's own id if it is harmless in logs and headers, otherwise one that no other request has. */
export function requestIdOf(incoming: string | undefined): string {
  if (incoming !== undefined && safeId.test(incoming)) return incoming
  count++
  return `${processPart}-${count.toString(36)}`
}
