import { v5 } from 'uuid'

/** Of names that migrations make UUIDs of; never to be changed, or the next run would bring everything in twice. */
const namespace = '0d6b3c52-6f0e-5a37-9b43-51d0f3a7a1c4'

/** The UUID that something of another system has here: always the same one, so that a second run finds what the first has made. */
export function deterministicUuid(system: string, ...parts: readonly (string | number | null)[]): string {
  return v5(JSON.stringify([system, ...parts]), namespace)
}
