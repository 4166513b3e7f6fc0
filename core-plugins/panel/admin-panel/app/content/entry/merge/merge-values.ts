import type { Merged, Versions } from '../../schema/merged.ts'
import { isObject, isSameValue } from '../../schema/same-value.ts'
import { mergeLists, within } from './merge-list.ts'
import { mergeTexts } from './merge-texts.ts'

/**
 * Brings two changes of one value together by what it is: members of objects one by one, items of lists by their ids, long
 * texts by their words. Where that does not help, both have changed the same, and somebody has to decide.
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

/** The same for values whose parts mean nothing apart. */
export function mergeWhole(versions: Versions): Merged {
  return oneSided(versions) ?? conflict(versions)
}

/** Undefined where both have made different changes. */
function oneSided({ base, mine, theirs }: Versions): Merged | undefined {
  if (isSameValue(mine, theirs) || isSameValue(base, theirs)) return { value: mine, conflicts: [] }
  return isSameValue(base, mine) ? { value: theirs, conflicts: [] } : undefined
}

/** Both have changed the same. */
export const conflict = (versions: Versions): Merged => ({
  value: versions.mine,
  conflicts: [{ path: '', ...versions }],
})

function mergeProse({ base, mine, theirs }: Versions): Merged | undefined {
  if (typeof base !== 'string' || typeof mine !== 'string' || typeof theirs !== 'string') return undefined
  const value = mergeTexts({ base, mine, theirs })
  return value === undefined ? undefined : { value, conflicts: [] }
}

/** Objects, unless one is a block of another kind by now. */
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
