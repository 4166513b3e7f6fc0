import { createHash } from 'node:crypto'

// PostgreSQL cuts longer names silently, MySQL refuses them beyond 64.
const maxBytes = 63

const hashLength = 8

/**
 * A name that every database takes as it is: one of more than 63 bytes keeps its beginning and ends in a hash
 * of the whole, so that different long names stay different.
 */
export function shortenIdentifier(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, hashLength)
  const beginning = Buffer.from(name).subarray(0, maxBytes - hashLength - 1)
  return `${new TextDecoder().decode(beginning).replace(/\uFFFD+$/, '')}_${hash}`
}
