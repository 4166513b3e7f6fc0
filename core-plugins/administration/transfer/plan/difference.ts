import type { ItemAuthor, ItemName } from '../../../foundation/sections/sections.ts'

/**
 * How an item differs between source and target:
 *
 * - `added`, `changed`, `removed`: the source has changed it since both last agreed, and the target has not
 * - `ahead`: the target has changed it since, and the source has not; it is left as it is
 * - `conflict`: both have changed it, or both have it and never agreed
 */
export type Difference = 'added' | 'changed' | 'removed' | 'ahead' | 'conflict'

/** The last change of an item on one side. */
export interface LastChange {
  /** ISO 8601; null if unknown. */
  readonly at: string | null
  /** Null if unknown, or if the caller may not know it. */
  readonly by: ItemAuthor | null
}

/** The last change of an item on each side; null if it no longer exists there. */
export interface LastChanges {
  readonly source: LastChange | null
  readonly target: LastChange | null
}

/** An item that is not the same on both sides. */
export interface ItemDifference extends ItemName {
  readonly difference: Difference
  /** The hashes of both sides; null if the item does not exist. */
  readonly source: string | null
  readonly target: string | null
  /** The last changes, for the first conflicts of a section. */
  readonly changes?: LastChanges
}

/** An item that is equal on both sides, without an agreement on both of them. */
export type NewlyEqual = ItemName & { readonly source: string | null; readonly target: string | null }

/** The differences in a section. */
export interface SectionDifference {
  readonly section: string
  /** The reason why the target cannot write the section; null if nothing is known to prevent it. */
  readonly refusal: string | null
  /** Companions that only one side has. They are not compared and not transferred. */
  readonly unshared: readonly string[]
  /** The number of equal items. */
  readonly equal: number
  readonly differences: readonly ItemDifference[]
  readonly newlyEqual: readonly NewlyEqual[]
}

/** The hashes of both sides, null if the item does not exist; `agreed` is undefined if they never agreed. */
export interface Judged {
  readonly source: string | null
  readonly target: string | null
  readonly agreed: { readonly source: string | null; readonly target: string | null } | undefined
}

/** Returns undefined if there is no difference. */
export function differenceOf({ source, target, agreed }: Judged): Difference | undefined {
  if (source === target) return undefined
  if (agreed === undefined) return neverAgreed(source, target)
  const isSourceSame = agreed.source === source
  const isTargetSame = agreed.target === target
  if (isSourceSame && isTargetSame) return undefined
  if (isSourceSame) return 'ahead'
  return isTargetSame ? changeOf(source, target) : 'conflict'
}

function neverAgreed(source: string | null, target: string | null): Difference {
  return source !== null && target !== null ? 'conflict' : changeOf(source, target)
}

function changeOf(source: string | null, target: string | null): Difference {
  if (source === null) return 'removed'
  return target === null ? 'added' : 'changed'
}
