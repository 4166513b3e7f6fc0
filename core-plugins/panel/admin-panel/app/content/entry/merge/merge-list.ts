import type { MergeConflict, Merged, MergeValues, Versions } from '../../schema/merged.ts'
import { isObject, isSameValue } from '../../schema/same-value.ts'

type Key = string | number

interface Items {
  readonly base: readonly unknown[]
  readonly mine: readonly unknown[]
  readonly theirs: readonly unknown[]
}

/** The identity of a list item: the `id` of a block, or the item itself if it is an id; undefined if there is neither. */
function keyOf(item: unknown): Key | undefined {
  if (Number.isInteger(item)) return item as number
  const key = isObject(item) ? item.id : undefined
  return typeof key === 'string' || typeof key === 'number' ? key : undefined
}

/** Items by their keys; undefined if an item has no key or two share one. */
function byKey(items: readonly unknown[]): ReadonlyMap<Key, unknown> | undefined {
  const entries = items.map((item) => [keyOf(item), item] as const)
  const isKeyed = entries.every((entry): entry is readonly [Key, unknown] => entry[0] !== undefined)
  const keyed = isKeyed ? new Map(entries) : undefined
  return keyed?.size === items.length ? keyed : undefined
}

/**
 * Merges two changed versions of a list: items added by either side stay, items removed by either side go unless the other side
 * has changed them, and items changed by both are merged. Undefined if items have no unique keys, or if both sides have reordered
 * them differently.
 */
export function mergeLists({ base, mine, theirs }: Items, mergeItem: MergeValues): Merged | undefined {
  const [inBase, inMine, inTheirs] = [byKey(base), byKey(mine), byKey(theirs)]
  if (inBase === undefined || inMine === undefined || inTheirs === undefined) return undefined
  const order = mergeOrder([...inBase.keys()], [...inMine.keys()], [...inTheirs.keys()])
  if (order === undefined) return undefined

  const value: unknown[] = []
  const conflicts: MergeConflict[] = []
  for (const key of order) {
    const merged = mergeMember(
      { base: inBase.get(key), mine: inMine.get(key), theirs: inTheirs.get(key) },
      mergeItem,
    )
    if (merged === undefined) continue
    const index = value.push(merged.value) - 1
    conflicts.push(
      ...merged.conflicts.map((conflict) => ({ ...conflict, path: within(index, conflict.path) })),
    )
  }
  return { value, conflicts }
}

export const within = (name: string | number, path: string) =>
  path === '' ? String(name) : `${name}.${path}`

/** Merges one item, which a side may have removed; undefined if it is to be removed. */
function mergeMember(versions: Versions, mergeItem: MergeValues): Merged | undefined {
  const { base, mine, theirs } = versions
  if (mine !== undefined && theirs !== undefined) return mergeItem(versions)
  const left = mine ?? theirs
  if (base === undefined) return { value: left, conflicts: [] }
  if (left === undefined || isSameValue(left, base)) return undefined
  return { value: left, conflicts: [{ path: '', ...versions }] }
}

/** The merged order of all items: the order of the side that has moved some; undefined if both have. */
function mergeOrder(base: readonly Key[], mine: readonly Key[], theirs: readonly Key[]): Key[] | undefined {
  const shared = new Set(base.filter((key) => mine.includes(key) && theirs.includes(key)))
  const among = (keys: readonly Key[]) => keys.filter((key) => shared.has(key))
  const [first, second, third] = [among(base), among(mine), among(theirs)]
  if (isSameValue(second, third) || isSameValue(first, second)) return weave(theirs, mine)
  return isSameValue(first, third) ? weave(mine, theirs) : undefined
}

/** `order` with the items that only `other` has, each placed behind its predecessor in `other`. */
function weave(order: readonly Key[], other: readonly Key[]): Key[] {
  const known = new Set(order)
  const woven = [...order]
  for (const [index, key] of other.entries()) {
    if (known.has(key)) continue
    const before = other[index - 1]
    woven.splice(before === undefined ? 0 : woven.indexOf(before) + 1, 0, key)
  }
  return woven
}
