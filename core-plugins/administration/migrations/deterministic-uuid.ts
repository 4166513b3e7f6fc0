import { v5 } from 'uuid'

/** The namespace of all UUIDs made here. If it changed, the next run would create everything a second time. */
const namespace = '0d6b3c52-6f0e-5a37-9b43-51d0f3a7a1c4'

/** The UUID here of something in another system. It is always the same, so a second run finds what the first one created. */
export function deterministicUuid(system: string, ...parts: readonly (string | number | null)[]): string {
  return v5(JSON.stringify([system, ...parts]), namespace)
}
