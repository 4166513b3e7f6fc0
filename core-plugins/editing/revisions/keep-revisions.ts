import { groupBy } from '../../../kernel/index.ts'
import {
  autosaveWrite,
  type Entry,
  isForGood,
  repairWrite,
  type WriteContext,
  type WriteStage,
} from '../../entries/content/content.ts'
import { type Transaction, untilCommit } from '../../foundation/database/database.ts'
import { joinAutosaves } from './join-autosaves.ts'
import { restoredRevision } from './restore-revision.ts'
import { isKnown, rowAfter, type SeenWrite, stateOf } from './revision-row.ts'
import type { Latest, RevisionStore } from './revision-store.ts'
import type { RevisionAction } from './revisions.ts'
import type { NewRevisionRow } from './tables.ts'

export interface KeepRevisionsOptions {
  readonly store: RevisionStore
  /** The number of revisions to keep per entry. */
  readonly max: () => number
}

/** The limit of entries whose base texts are in memory at the same time. */
const entriesAtOnce = 50

/** How many hidden revisions may accumulate before they are deleted together. */
const pruneEvery = 10

/** Stores a revision for every write; all revisions of a transaction together, at its end. */
export function keepRevisions(options: KeepRevisionsOptions): WriteStage {
  const note = untilCommit<SeenWrite>((writes, tx) => storeWrites(writes, tx, options))

  return {
    name: 'revisions: keep',
    matches: ({ type }) => !type.system,
    async run(context, next) {
      const isRestored = context.annotations.has(restoredRevision)
      const entry = await next()
      if (context.outcome.event !== undefined) note(context.tx, seenWrite(context, entry, isRestored))
      return entry
    },
  }
}

function seenWrite(context: WriteContext, after: Entry, isRestored: boolean): SeenWrite {
  const { type, before, principal, now } = context
  const isLast = isForGood(context)
  const action = isRestored ? 'restore' : actionOf(context)
  const isAutosave = context.annotations.has(autosaveWrite)
  return { type: type.name, entryId: after.id, action, isLast, isAutosave, before, after, principal, now }
}

function actionOf({ operation, annotations, isDraftWrite }: WriteContext): RevisionAction {
  if (annotations.has(repairWrite)) return 'repair'
  if (isDraftWrite && operation === 'update') return 'draft'
  return operation === 'restore' ? 'undelete' : operation
}

async function storeWrites(writes: readonly SeenWrite[], tx: Transaction, options: KeepRevisionsOptions) {
  for (const [type, ofType] of groupBy(writes, ({ type }) => type)) {
    const byEntry = [...groupBy(ofType, ({ entryId }) => entryId).values()]
    for (let start = 0; start < byEntry.length; start += entriesAtOnce) {
      await storeWritesOf(type, byEntry.slice(start, start + entriesAtOnce), tx, options)
    }
  }
}

/** `byEntry` holds the writes of one entry per item. */
async function storeWritesOf(
  type: string,
  byEntry: readonly (readonly SeenWrite[])[],
  tx: Transaction,
  { store, max }: KeepRevisionsOptions,
): Promise<void> {
  const kept = byEntry.filter((writes) => !writes.some(({ isLast }) => isLast))
  const known = await knownAmong(kept, store, tx)
  const latest =
    known.length === 0 ? new Map<number, Latest>() : await store.latest(type, known.map(idOf), tx)
  // Left behind by an entry with the same id that was deleted while this plugin was off.
  const stale = known.filter((writes) => isNew(writes) && latest.has(idOf(writes))).map(idOf)
  for (const id of stale) latest.delete(id)
  if (stale.length > 0) await store.removeEntries(type, stale, tx)
  const apart = await joinAutosaves(kept, latest, store, tx)
  const rows = apart.flatMap((writes) => rowsOf(writes, latest.get(idOf(writes))))
  store.insert(rows, tx)
  const due = rows.filter(({ version }) => version > max() && version % pruneEvery === 0)
  const dueIds = [...new Set(due.map(({ entryId }) => entryId))]
  if (dueIds.length > 0) await store.prune(type, dueIds, { max: max(), queries: tx })
}

/** The entries that may already have revisions. */
async function knownAmong(all: readonly (readonly SeenWrite[])[], store: RevisionStore, tx: Transaction) {
  const known: (readonly SeenWrite[])[] = []
  for (const writes of all) {
    const [first] = writes
    if (first === undefined) continue
    if (!isNew(writes) || (await store.mayHaveLeftovers(first.type, first.entryId, tx))) known.push(writes)
  }
  return known
}

function isNew([first]: readonly SeenWrite[]): boolean {
  return first?.before === undefined
}

function idOf(writes: readonly SeenWrite[]): number {
  return writes[0]?.entryId ?? 0
}

function rowsOf(writes: readonly SeenWrite[], newest: Latest | undefined): NewRevisionRow[] {
  const rows: NewRevisionRow[] = []
  let latest = newest
  const append = (write: SeenWrite) => {
    const next = rowAfter(write, latest)
    latest = next.latest
    rows.push(next.row)
  }
  for (const write of writes) {
    const { before, action } = write
    if (before !== undefined && !isKnown(before, action, latest)) append(baselineOf(write, before))
    append(write)
  }
  return rows
}

/** A revision of the entry before a write, for when no revision contains that state. */
function baselineOf(write: SeenWrite, before: Entry): SeenWrite {
  return {
    ...write,
    action: 'baseline',
    after: before,
    principal: { kind: 'anonymous' },
    now: stateOf(before),
  }
}
