import type { Entry } from '../entry/entry.ts'
import { totalsField } from '../entry/entry-meta.ts'

type Totals = Readonly<Record<string, number>>

/** How many entries each relation shows whose total is told, by entry id. */
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
 * Middleware hides entries of a relation by taking them out of it, which their total must not tell: it stays where the
 * relation shows what it did before, and shows something.
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
