import type { Transaction } from '../../foundation/database/database.ts'
import { isKnown, rowAfter, type SeenWrite } from './revision-row.ts'
import type { Latest, RevisionStore } from './revision-store.ts'
import type { NewRevisionRow, RevisionRow } from './tables.ts'

/** An autosave joins a revision that is younger than this; otherwise it gets its own, so that users can go back to it. */
const joinableForMs = 10 * 60_000

/**
 * Writes autosaves into the newest revision of their entry if it is a recent one by the same author. Returns the writes that need
 * revisions of their own. An autosave is the only write of its entry.
 */
export async function joinAutosaves(
  byEntry: readonly (readonly SeenWrite[])[],
  latest: ReadonlyMap<number, Latest>,
  store: RevisionStore,
  tx: Transaction,
): Promise<readonly (readonly SeenWrite[])[]> {
  const apart: (readonly SeenWrite[])[] = []
  for (const writes of byEntry) {
    const [write] = writes
    const isAutosave = writes.length === 1 && write?.isAutosave === true
    const known = latest.get(write?.entryId ?? 0)
    if (!isAutosave || known === undefined || !(await join(write, known, store, tx))) apart.push(writes)
  }
  return apart
}

/** Returns false if the write needs a revision of its own. */
async function join(write: SeenWrite, latest: Latest, store: RevisionStore, tx: Transaction) {
  const { before, action, type, entryId } = write
  if (before === undefined || !isKnown(before, action, latest)) return false
  const newest = await store.newest({ type, id: entryId }, tx)
  if (newest === undefined) return false
  const { row } = rowAfter(write, beforeNewest(newest, latest))
  if (!isContinued(newest, row)) return false
  await store.rewrite(newest, row, tx)
  return true
}

function isContinued(newest: RevisionRow, row: NewRevisionRow): boolean {
  const isTheirs = newest.authorKind === row.authorKind && newest.authorId === row.authorId
  const age = Date.parse(row.createdAt) - Date.parse(newest.createdAt)
  return newest.authorKind !== null && isTheirs && newest.action === row.action && age < joinableForMs
}

/** The revision state before the newest one; undefined if the newest is stored whole, since nothing depends on it yet. */
function beforeNewest(newest: RevisionRow, { baseData }: Latest): Latest | undefined {
  const { version, baseVersion, weight, stateAt, data } = newest
  if (baseVersion === version) return undefined
  return { version: version - 1, baseVersion, weight: weight - data.length, stateAt, baseData }
}
