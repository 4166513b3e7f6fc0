import type { Entry, WriteContext, WriteStage } from '../content/content.ts'
import { type Transaction, untilCommit } from '../database/database.ts'
import type { Principal } from '../http/http.ts'
import { makeDelta } from './delta.ts'
import type { Latest, RevisionRow, RevisionStore } from './revision-store.ts'
import type { RevisionAction } from './revisions.ts'

export interface KeeperOptions {
  readonly store: RevisionStore
  /** How many revisions are kept of each entry. */
  readonly max: () => number
  /** Whether a payload is that of an older revision. */
  readonly isRestored: (payload: object) => boolean
}

/** One write, as it was seen. */
interface SeenWrite {
  readonly type: string
  readonly entryId: number
  readonly action: RevisionAction
  /** The entry is gone for good, and its revisions go with it. */
  readonly isLast: boolean
  readonly before: Entry | undefined
  readonly after: Entry
  readonly principal: Principal
  readonly now: string
}

/** Around the stages of others, so that it sees entries as they leave them. */
const outer = -500

/** The bases of so many entries are in memory at a time. */
const entriesAtOnce = 50

/** Shorter entries are stored whole: there is nothing to spare. */
const shortText = 200

/** So many revisions beyond those that are seen may wait to be deleted together. */
const pruneEvery = 10

/** Stores a revision with every write; those of one transaction together, at its end. */
export function keepRevisions(options: KeeperOptions): WriteStage {
  const note = untilCommit<SeenWrite>((writes, tx) => storeWrites(writes, tx, options))

  return {
    name: 'revisions: keep',
    order: outer,
    matches: ({ type }) => !type.system,
    async run(context, next) {
      // Asked first: other stages may replace the payload.
      const isRestored = context.operation === 'update' && options.isRestored(context.data)
      const entry = await next()
      if (context.event !== undefined) note(context.tx, seenWrite(context, entry, isRestored))
      return entry
    },
  }
}

function seenWrite(context: WriteContext, after: Entry, isRestored: boolean): SeenWrite {
  const { type, before, principal, now, isForGood: isLast } = context
  const action = isRestored ? 'restore' : actionOf(context)
  return { type: type.name, entryId: after.id, action, isLast, before, after, principal, now }
}

function actionOf({ operation, isRepair, isDraftWrite }: WriteContext): RevisionAction {
  if (isRepair) return 'repair'
  if (isDraftWrite && operation === 'update') return 'draft'
  return operation === 'restore' ? 'undelete' : operation
}

async function storeWrites(writes: readonly SeenWrite[], tx: Transaction, options: KeeperOptions) {
  for (const [type, ofType] of groupBy(writes, ({ type }) => type)) {
    const byEntry = [...groupBy(ofType, ({ entryId }) => entryId).values()]
    for (let start = 0; start < byEntry.length; start += entriesAtOnce) {
      await storeWritesOf(type, byEntry.slice(start, start + entriesAtOnce), tx, options)
    }
  }
}

function groupBy<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** `byEntry` has the writes of one entry each. */
async function storeWritesOf(
  type: string,
  byEntry: readonly (readonly SeenWrite[])[],
  tx: Transaction,
  { store, max }: KeeperOptions,
): Promise<void> {
  const isGone = (writes: readonly SeenWrite[]) => writes.some(({ isLast }) => isLast)
  const gone = byEntry.filter(isGone).map(idOf)
  const kept = byEntry.filter((writes) => !isGone(writes))
  const known = await knownAmong(kept, store)
  const latest =
    known.length === 0 ? new Map<number, Latest>() : await store.latest(type, known.map(idOf), tx)
  // Left by an entry with the same id that was deleted while this plugin was off.
  const stale = known.filter((writes) => isNew(writes) && latest.has(idOf(writes))).map(idOf)
  for (const id of stale) latest.delete(id)
  if (gone.length + stale.length > 0) await store.removeEntries(type, [...gone, ...stale], tx)
  const rows = kept.flatMap((writes) => rowsOf(writes, latest.get(idOf(writes))))
  store.insert(rows, tx)
  const due = rows.filter(({ version }) => version > max() && version % pruneEvery === 0)
  const dueIds = [...new Set(due.map(({ entryId }) => entryId))]
  if (dueIds.length > 0) await store.prune(type, dueIds, { max: max(), queries: tx })
}

/** Those that may have revisions already. */
async function knownAmong(all: readonly (readonly SeenWrite[])[], store: RevisionStore) {
  const known: (readonly SeenWrite[])[] = []
  for (const writes of all) {
    const [first] = writes
    if (first === undefined) continue
    if (!isNew(writes) || (await store.mayHaveLeftovers(first.type, first.entryId))) known.push(writes)
  }
  return known
}

function isNew([first]: readonly SeenWrite[]): boolean {
  return first?.before === undefined
}

function idOf(writes: readonly SeenWrite[]): number {
  return writes[0]?.entryId ?? 0
}

function rowsOf(writes: readonly SeenWrite[], newest: Latest | undefined): RevisionRow[] {
  const rows: RevisionRow[] = []
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

function isKnown(before: Entry, action: RevisionAction, latest: Latest | undefined): boolean {
  if (latest === undefined) return false
  // A soft delete answers the entry as it was, so that its moment is not known.
  return action === 'undelete' || latest.stateAt >= stateOf(before)
}

/** The entry as it was before a write, where no revision tells of that. */
function baselineOf(write: SeenWrite, before: Entry): SeenWrite {
  return {
    ...write,
    action: 'baseline',
    after: before,
    principal: { kind: 'anonymous' },
    now: stateOf(before),
  }
}

function rowAfter(write: SeenWrite, latest: Latest | undefined): { row: RevisionRow; latest: Latest } {
  const { type, entryId, action, after, principal, now } = write
  const text = textOf(after)
  const version = (latest?.version ?? 0) + 1
  const encoded = encode(text, version, latest)
  const { baseVersion, weight } = encoded
  // A write within this one may have moved the entry on already.
  const stateAt = latest !== undefined && latest.stateAt > stateOf(after) ? latest.stateAt : stateOf(after)
  const place = { version, baseVersion, weight, stateAt }
  const row = { type, entryId, action, data: encoded.data, ...place, ...authorOf(principal), createdAt: now }
  return { row, latest: { ...place, baseData: encoded.baseData } }
}

/** A delta to the base, until all deltas to it together are as long as the entry. */
function encode(text: string, version: number, latest: Latest | undefined) {
  const whole = { data: text, baseVersion: version, weight: 0, baseData: text }
  if (latest === undefined || text.length < shortText) return whole
  const { baseVersion, baseData } = latest
  const delta = makeDelta(baseData, text)
  const weight = latest.weight + delta.length
  return weight < text.length ? { data: delta, baseVersion, weight, baseData } : whole
}

const hidden = new Set(['id', 'created_at', 'updated_at'])

function textOf(entry: Entry): string {
  return JSON.stringify(Object.fromEntries(Object.entries(entry).filter(([name]) => !hidden.has(name))))
}

function stateOf(entry: Entry): string {
  return String(entry.updated_at)
}

function authorOf(principal: Principal): Pick<RevisionRow, 'authorKind' | 'authorId' | 'authorName'> {
  if (principal.kind === 'anonymous') return { authorKind: null, authorId: null, authorName: null }
  const { kind, id } = principal
  const name = principal.kind === 'token' ? principal.name : principal.username
  return { authorKind: kind, authorId: id, authorName: name.slice(0, 255) }
}
