import { Type } from 'typebox'
import { strict } from '../../../foundation/http/http.ts'
import type { EntryCompanion } from '../../../foundation/sections/sections.ts'

/**
 * Stands for a reference to an entry in the trash of the source. Readers do not see the reference there, but that is no reason for
 * the target to remove its own.
 */
export interface HiddenReference {
  /** The key of the referenced entry. */
  readonly hidden: string
}

export const hiddenReference = (key: string): HiddenReference => ({ hidden: key })

/** The key that stands for a reference, and whether the source hides it; undefined if the value is not a key. */
export function referenceIn(
  value: unknown,
): { readonly key: string; readonly isHidden: boolean } | undefined {
  if (typeof value === 'string') return { key: value, isHidden: false }
  const hidden = typeof value === 'object' && value !== null && 'hidden' in value ? value.hidden : undefined
  return typeof hidden === 'string' ? { key: hidden, isHidden: true } : undefined
}

/**
 * By the name of this companion, two sides agree that values may contain hidden references. It stores nothing. Older versions have no
 * companion of this name, so they neither receive hidden references nor are asked for them.
 */
export const hiddenReferences: EntryCompanion = {
  name: 'hidden',
  matches: () => true,
  valueSchema: Type.Object({}, strict),
  read: async () => new Map(),
  missingRights: () => [],
  write: async () => undefined,
}
