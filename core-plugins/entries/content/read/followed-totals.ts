import type { Entry } from '../entry/entry.ts'
import { totalsField } from '../entry/entry-meta.ts'

type Totals = Readonly<Record<string, number>>

/** The number of entries shown in each relation with a total, by entry id. */
export type ShownCounts = ReadonlyMap<number, Totals>

export function shownCounts(entries: readonly Entry[]): ShownCounts {
  const counts = new Map<number, Totals>()
  for (const entry of entries) {
    const totals = totalsOf(entry)
    if (totals === undefined) continue
    counts.set(entry.id, Object.fromEntries(Object.keys(totals).map((name) => [name, shownIn(entry, name)])))
  }
  return counts
}

/**
 * Middleware hides entries by removing them from relations, and the total must not reveal them: a total above 0 is kept
 * only if the relation still shows as many entries as before, and at least one.
 */
export function followShownCounts(entries: readonly Entry[], before: ShownCounts): void {
  for (const entry of entries) {
    const totals = totalsOf(entry)
    if (totals === undefined) continue
    const told = Object.entries(totals).filter(([name, total]) => {
      const shown = shownIn(entry, name)
      return total === 0 || (shown > 0 && shown === before.get(entry.id)?.[name])
    })
    entry[totalsField] = Object.fromEntries(told)
  }
}

function totalsOf(entry: Entry): Totals | undefined {
  return entry[totalsField] as Totals | undefined
}

function shownIn(entry: Entry, name: string): number {
  const shown = entry[name]
  return Array.isArray(shown) ? shown.length : 0
}
