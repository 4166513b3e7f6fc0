import type { Transaction } from '../../database/database.ts'
import type { Entry } from '../entry.ts'
import { type WriteAnnotation, writeAnnotation } from '../write-annotation.ts'
import type { Change, EntryStore } from './entry-store.ts'
import type { WritableType } from './write-deps.ts'
import { NotReached } from './write-errors.ts'

type BatchedType = Pick<WritableType, 'model' | 'store' | 'drafts'>

/** One of several operations that write together. */
export interface BatchPlace {
  /**
   * Waits until every other operation has called `update` for its row, or has ended; resolves with the
   * updated entry. `endsDraft`: its pending draft is removed.
   */
  update(before: Entry, change: Required<Change>, endsDraft: boolean): Promise<Entry>
  /** Must be called when the operation has ended, successfully or not. */
  leave(): void
}

/** Marks a write as one of a batch. */
export const batchPlace: WriteAnnotation<BatchPlace> = writeAnnotation('content.batch-place')

interface Waiting {
  readonly before: Entry
  readonly change: Required<Change>
  readonly endsDraft: boolean
  resolve(entry: Entry): void
  reject(error: unknown): void
}

/**
 * Creates places for `count` operations that run concurrently, each with its own middleware: their updates
 * wait for each other, and equal ones share a statement.
 */
export function createBatch(count: number, type: BatchedType, tx: Transaction): readonly BatchPlace[] {
  const waiting: Waiting[] = []
  let awaited = count

  function arrive(): void {
    awaited -= 1
    if (awaited === 0) void flush(waiting, type, tx)
  }

  return Array.from({ length: count }, () => {
    let isAwaited = true
    const arriveOnce = () => {
      if (!isAwaited) return
      isAwaited = false
      arrive()
    }
    return {
      update: (before, change, endsDraft) =>
        new Promise((resolve, reject) => {
          waiting.push({ before, change, endsDraft, resolve, reject })
          arriveOnce()
        }),
      leave: arriveOnce,
    }
  })
}

async function flush(waiting: readonly Waiting[], type: BatchedType, tx: Transaction): Promise<void> {
  const ending = waiting.filter(({ endsDraft }) => endsDraft).map(({ before }) => before.id)
  const groups = groupAlike(waiting)
  try {
    if (ending.length > 0) await type.drafts?.remove(type.model.type, ending, tx)
  } catch (error) {
    for (const { reject } of waiting) reject(error)
    return
  }
  for (const [index, group] of groups.entries()) {
    if (await writeGroup(group, type.store, tx)) continue
    // A failed query has aborted the whole transaction.
    for (const { reject } of groups.slice(index + 1).flat()) reject(new NotReached())
    return
  }
}

/** Groups updates that write the same values. */
function groupAlike(waiting: readonly Waiting[]): Waiting[][] {
  const groups = new Map<string, Waiting[]>()
  for (const each of waiting) {
    const { columns, links } = each.change
    const key = JSON.stringify([columns, ...links])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [each])
    else group.push(each)
  }
  return [...groups.values()]
}

/** Returns false after a failure, which the waiting operations are rejected with. */
async function writeGroup(group: readonly Waiting[], store: EntryStore, tx: Transaction): Promise<boolean> {
  const [first] = group
  if (first === undefined) return true
  try {
    const written =
      group.length === 1
        ? [await store.update(first.before, first.change, tx)]
        : await store.updateAlike(
            group.map(({ before }) => before),
            first.change,
            tx,
          )
    group.forEach(({ resolve, before }, index) => {
      resolve(written[index] ?? before)
    })
    return true
  } catch (error) {
    for (const { reject } of group) reject(error)
    return false
  }
}
