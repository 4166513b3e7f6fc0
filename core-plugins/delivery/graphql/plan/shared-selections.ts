import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import type { ShownOfEntries } from '../../../entries/content/content.ts'

/**
 * Returns one object for all equal selections, so that the content service compiles each of them once. Operations that pass
 * ids in variables are planned again for each value.
 */
export type SharedSelections = (shown: ShownOfEntries) => ShownOfEntries

const maxKept = 1_000
/** In characters. Longer selections are not shared. */
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
