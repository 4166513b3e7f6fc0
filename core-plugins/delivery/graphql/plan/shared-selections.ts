import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import type { ShownOfEntries } from '../../../entries/content/content.ts'

/**
 * One object for all selections that are alike, so that the content service compiles each of them once: operations that name their entries
 * in variables are planned anew for each of them.
 */
export type SharedSelections = (shown: ShownOfEntries) => ShownOfEntries

const maxKept = 1_000
/** Longer ones are compiled each time. In characters. */
const maxKeptLength = 10_000

export function createSharedSelections(): SharedSelections {
  const kept = new LRUCache<string, ShownOfEntries>(upTo(maxKept))
  return (shown) => {
    const key = JSON.stringify(shown)
    const known = kept.get(key)
    if (known !== undefined) return known
    if (key.length <= maxKeptLength) kept.set(key, shown)
    return shown
  }
}
