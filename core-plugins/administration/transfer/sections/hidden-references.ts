import { Type } from 'typebox'
import { strict } from '../../../foundation/http/http.ts'
import type { EntryCompanion } from '../../../foundation/sections/sections.ts'

/**
 * Stands for a reference to what is in the trash of the source: whoever reads the entry there is shown nothing. That is no reason for a
 * target to forget what it has.
 */
export interface HiddenReference {
  /** The key of what it leads to. */
  readonly hidden: string
}

export const hiddenReference = (key: string): HiddenReference => ({ hidden: key })

/** The key in the place of a reference, and whether it is one to what the source hides; undefined for what is no key. */
export function referenceIn(
  value: unknown,
): { readonly key: string; readonly isHidden: boolean } | undefined {
  if (typeof value === 'string') return { key: value, isHidden: false }
  const hidden = typeof value === 'object' && value !== null && 'hidden' in value ? value.hidden : undefined
  return typeof hidden === 'string' ? { key: hidden, isHidden: true } : undefined
}

/**
 * By its name, two sides agree that values have hidden references in them. It keeps nothing itself: older versions have no companion
 * of that name, so that they neither get any nor are asked for some.
 */
export const hiddenReferences: EntryCompanion = {
  name: 'hidden',
  matches: () => true,
  valueSchema: Type.Object({}, strict),
  read: async () => new Map(),
  missingRights: () => [],
  write: async () => undefined,
}
