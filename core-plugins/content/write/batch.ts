import type { Transaction } from '../../database/database.ts'
import type { Entry } from '../content.ts'
import type { Change, EntryStore } from './entry-store.ts'

/** One of several operations that write together. */
export interface BatchPlace {
  /** Resolves with the entry as it is then, when all others have come to their rows too, or have ended. */
  update(before: Entry, change: Change): Promise<Entry>
  /** Must be called when the operation has ended, however. */
  leave(): void
}

interface Waiting {
  readonly before: Entry
  readonly change: Change
  resolve(entry: Entry): void
  reject(error: unknown): void
}

/**
 * Places for so many operations, each with its own middleware, that run at the same time: their updates wait for each
 * other, and those that are alike share a statement.
 */
export function createBatch(count: number, store: EntryStore, tx: Transaction): readonly BatchPlace[] {
  const waiting: Waiting[] = []
  let awaited = count

  function arrive(): void {
    awaited -= 1
    if (awaited === 0) void flush(waiting, store, tx)
  }

  return Array.from({ length: count }, () => {
    let isAwaited = true
    const arriveOnce = () => {
      if (!isAwaited) return
      isAwaited = false
      arrive()
    }
    return {
      update: (before, change) =>
        new Promise((resolve, reject) => {
          waiting.push({ before, change, resolve, reject })
          arriveOnce()
        }),
      leave: arriveOnce,
    }
  })
}

async function flush(waiting: readonly Waiting[], store: EntryStore, tx: Transaction): Promise<void> {
  const alike = new Map<string, Waiting[]>()
  for (const each of waiting) {
    const key = JSON.stringify([each.change.columns, ...(each.change.links ?? [])])
    alike.set(key, [...(alike.get(key) ?? []), each])
  }
  for (const group of alike.values()) await writeGroup(group, store, tx)
}

async function writeGroup(group: readonly Waiting[], store: EntryStore, tx: Transaction): Promise<void> {
  try {
    const entries = group.map(({ before }) => before)
    const written = await store.updateAlike(entries, group[0]?.change ?? { columns: {} }, tx)
    group.forEach(({ resolve, before }, index) => {
      resolve(written[index] ?? before)
    })
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
