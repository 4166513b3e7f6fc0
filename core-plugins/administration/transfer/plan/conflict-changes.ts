import type { ItemAuthor, TransferItem } from '../../../foundation/sections/sections.ts'
import type { Comparison, DescribedSide } from './comparison.ts'
import type { ItemDifference, LastChange, LastChanges } from './difference.ts'
import { itemsAtOnce } from './side.ts'

/** The most conflicts of a section whose last changes are looked up. */
const maxTold = itemsAtOnce

/** Adds to conflicts who changed them last, and when. */
export async function withLastChanges(
  { source, target }: Comparison,
  section: string,
  differences: readonly ItemDifference[],
): Promise<readonly ItemDifference[]> {
  const conflicts = differences.filter(({ difference }) => difference === 'conflict').slice(0, maxTold)
  if (conflicts.length === 0) return differences
  const keys = conflicts.map(({ key }) => key)
  const [here, there] = await Promise.all([
    changesOn(source, section, keys),
    changesOn(target, section, keys),
  ])
  const told = new Set(keys)
  return differences.map((item) => {
    if (!told.has(item.key)) return item
    const changes: LastChanges = { source: here.get(item.key) ?? null, target: there.get(item.key) ?? null }
    return { ...item, changes }
  })
}

async function changesOn(side: DescribedSide, section: string, keys: readonly string[]) {
  const found = await side.find(section, keys)
  return new Map(found.map((item) => [item.key, lastChangeOf(item)]))
}

function lastChangeOf({ changedAt, changedBy }: TransferItem): LastChange {
  return { at: changedAt, by: changedBy ?? null }
}

/** `2026-01-31T08:00:00.000Z by Ann`, for people. */
export function changeText(change: LastChange | null): string {
  if (change === null) return 'gone'
  const by = change.by === null ? '' : ` by ${change.by.username}${kindText(change.by)}`
  return `${change.at ?? 'at an unknown time'}${by}`
}

const kindText = ({ kind }: ItemAuthor) => (kind === 'admin' ? '' : ` (${kind})`)
