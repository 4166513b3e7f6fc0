import type { ItemAuthor, ItemName } from '../../../foundation/sections/sections.ts'

/**
 * How an item differs between source and target:
 *
 * - `added`, `changed`, `removed`: the source has changed it since both agreed last, and the target has not
 * - `ahead`: the target has changed it since, and the source has not; it stays
 * - `conflict`: both have changed it, or both have it and never agreed
 */
export type Difference = 'added' | 'changed' | 'removed' | 'ahead' | 'conflict'

/** The last change of an item on one side. */
export interface LastChange {
  /** ISO 8601; null where that is not known. */
  readonly at: string | null
  /** Null where that is not known, or not for whoever compares. */
  readonly by: ItemAuthor | null
}

/** Who has changed an item last and when, on either side; null where it is gone. */
export interface LastChanges {
  readonly source: LastChange | null
  readonly target: LastChange | null
}

/** An item that is not the same on both sides. */
export interface ItemDifference extends ItemName {
  readonly difference: Difference
  /** The hashes of both sides; null where there is no such item. */
  readonly source: string | null
  readonly target: string | null
  /** Who made a conflict, and when; told of the first ones of a section. */
  readonly changes?: LastChanges
}

/** An item that is the same on both sides, which one of them does not know yet. */
export type NewlyEqual = ItemName & { readonly source: string | null; readonly target: string | null }

/** What was found in a section. */
export interface SectionDifference {
  readonly section: string
  /** Why nothing of it can be written at the target; null if it can, as far as that is known before. */
  readonly refusal: string | null
  /** What only one side keeps beside its entries: it takes no part in the comparison, and stays there. */
  readonly unshared: readonly string[]
  /** How many are the same. */
  readonly equal: number
  readonly differences: readonly ItemDifference[]
  readonly newlyEqual: readonly NewlyEqual[]
}

/** Hashes of both sides, null for nothing; `agreed` is undefined if they never agreed. */
export interface Judged {
  readonly source: string | null
  readonly target: string | null
  readonly agreed: { readonly source: string | null; readonly target: string | null } | undefined
}

/** Undefined if nothing is to be done about it. */
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
