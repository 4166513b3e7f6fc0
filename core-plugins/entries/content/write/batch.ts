import type { Explain, Transaction } from '../../../foundation/database/database.ts'
import type { Entry } from '../entry/entry.ts'
import { type WriteAnnotation, writeAnnotation } from '../write-annotation.ts'
import type { Change } from './change.ts'
import type { EntryStore, NewEntry } from './entry-store.ts'
import type { WritableType } from './write-deps.ts'
import { NotReached, refusedTogether } from './write-errors.ts'

type BatchedType = Pick<WritableType, 'model' | 'store' | 'drafts'>

/** One of several operations that write together. */
export interface BatchPlace {
  /**
   * Waits until every other operation has called `update` for its row, or has ended; resolves with the
   * updated entry. `endsDraft`: its pending draft is removed.
   */
  update(before: Entry, change: Required<Change>, endsDraft: boolean): Promise<Entry>
  /** Waits for the other operations in the same way; resolves with the new entry. */
  insert(entry: NewEntry, insertion: OwnInsertion): Promise<Entry>
  /** Must be called when the operation has ended, successfully or not. */
  leave(): void
}

/** Marks a write as one of a batch. */
export const batchPlace: WriteAnnotation<BatchPlace> = writeAnnotation('content.batch-place')

interface OwnInsertion {
  /** The same in all operations of the batch. */
  readonly now: string
  /** Converts the database's error into the error to throw; used if no other entry is stored with the same statement. */
  readonly explain: Explain
}

interface Settled {
  resolve(entry: Entry): void
  reject(error: unknown): void
}

interface Waiting extends Settled {
  readonly before: Entry
  readonly change: Required<Change>
  readonly endsDraft: boolean
}

interface WaitingInsert extends Settled, OwnInsertion {
  readonly entry: NewEntry
}

interface WaitingWrites {
  readonly inserts: readonly WaitingInsert[]
  readonly updates: readonly Waiting[]
}

export interface BatchOptions {
  readonly type: BatchedType
  readonly tx: Transaction
  /** Everything is checked and nothing written: waiting operations are rejected with `NotReached`. */
  readonly isTrial?: boolean
}

/**
 * Creates places for `count` operations that run concurrently, each with its own middleware: their writes
 * wait for each other. New entries share a statement, and so do equal updates.
 */
export function createBatch(
  count: number,
  { type, tx, isTrial = false }: BatchOptions,
): readonly BatchPlace[] {
  const inserts: WaitingInsert[] = []
  const updates: Waiting[] = []
  let awaited = count

  function arrive(): void {
    awaited -= 1
    if (awaited > 0) return
    if (isTrial) rejectAll([...inserts, ...updates], new NotReached())
    else void flush({ inserts, updates }, type, tx)
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
          updates.push({ before, change, endsDraft, resolve, reject })
          arriveOnce()
        }),
      insert: (entry, insertion) =>
        new Promise((resolve, reject) => {
          inserts.push({ entry, ...insertion, resolve, reject })
          arriveOnce()
        }),
      leave: arriveOnce,
    }
  })
}

function rejectAll(waiting: readonly Settled[], error: unknown): void {
  for (const { reject } of waiting) reject(error)
}

async function flush({ inserts, updates }: WaitingWrites, type: BatchedType, tx: Transaction): Promise<void> {
  if (!(await writeInserts(inserts, type.store, tx))) return rejectAll(updates, new NotReached())
  const ending = updates.filter(({ endsDraft }) => endsDraft).map(({ before }) => before.id)
  const groups = groupAlike(updates)
  try {
    if (ending.length > 0) await type.drafts?.remove(type.model.type, ending, tx)
  } catch (error) {
    return rejectAll(updates, error)
  }
  for (const [index, group] of groups.entries()) {
    if (await writeGroup(group, type.store, tx)) continue
    // A failed query has aborted the whole transaction.
    return rejectAll(groups.slice(index + 1).flat(), new NotReached())
  }
}

/** Returns false after a failure, with which it has rejected the waiting operations. */
async function writeInserts(
  inserts: readonly WaitingInsert[],
  store: EntryStore,
  tx: Transaction,
): Promise<boolean> {
  const [first] = inserts
  if (first === undefined) return true
  const explain = inserts.length === 1 ? first.explain : refusedTogether
  try {
    const written = await store.insertMany(
      inserts.map(({ entry }) => entry),
      { now: first.now, tx, explain },
    )
    inserts.forEach(({ resolve }, index) => {
      resolve(written[index] as Entry)
    })
    return true
  } catch (error) {
    rejectAll(inserts, explain(error))
    return false
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

/** Returns false after a failure, with which it has rejected the waiting operations. */
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
    rejectAll(group, error)
    return false
  }
}
