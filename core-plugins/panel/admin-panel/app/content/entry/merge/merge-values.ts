import type { Merged, Versions } from '../../schema/merged.ts'
import { isObject, isSameValue } from '../../schema/same-value.ts'
import { mergeLists, within } from './merge-list.ts'
import { mergeTexts } from './merge-texts.ts'

/**
 * Merges two changed versions of a value according to its kind: objects member by member, lists by item ids, long texts by words.
 * If none of that works, it is a conflict that the user has to decide.
 */
export function mergeValues(versions: Versions): Merged {
  return (
    oneSided(versions) ??
    mergeMembers(versions) ??
    mergeItems(versions) ??
    mergeProse(versions) ??
    conflict(versions)
  )
}

/** Like `mergeValues`, for values whose parts have no meaning on their own. */
export function mergeWhole(versions: Versions): Merged {
  return oneSided(versions) ?? conflict(versions)
}

/** The merged value if at most one side has changed it, or both equally; undefined otherwise. */
function oneSided({ base, mine, theirs }: Versions): Merged | undefined {
  if (isSameValue(mine, theirs) || isSameValue(base, theirs)) return { value: mine, conflicts: [] }
  return isSameValue(base, mine) ? { value: theirs, conflicts: [] } : undefined
}

/** A conflict: both sides have changed the value differently. */
export const conflict = (versions: Versions): Merged => ({
  value: versions.mine,
  conflicts: [{ path: '', ...versions }],
})

function mergeProse({ base, mine, theirs }: Versions): Merged | undefined {
  if (typeof base !== 'string' || typeof mine !== 'string' || typeof theirs !== 'string') return undefined
  const value = mergeTexts({ base, mine, theirs })
  return value === undefined ? undefined : { value, conflicts: [] }
}

/** Merges objects member by member, unless one side has replaced a block with one of another component. */
function mergeMembers({ base, mine, theirs }: Versions): Merged | undefined {
  if (!isObject(base) || !isObject(mine) || !isObject(theirs)) return undefined
  if (mine.__component !== theirs.__component) return undefined
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)])
  const members = [...names].map((name) => {
    const merged = mergeValues({ base: base[name], mine: mine[name], theirs: theirs[name] })
    return { name, ...merged }
  })
  return {
    value: Object.fromEntries(members.map(({ name, value }) => [name, value])),
    conflicts: members.flatMap(({ name, conflicts }) =>
      conflicts.map((each) => ({ ...each, path: within(name, each.path) })),
    ),
  }
}

function mergeItems({ base, mine, theirs }: Versions): Merged | undefined {
  if (!Array.isArray(mine) || !Array.isArray(theirs)) return undefined
  return mergeLists({ base: Array.isArray(base) ? base : [], mine, theirs }, mergeValues)
}
