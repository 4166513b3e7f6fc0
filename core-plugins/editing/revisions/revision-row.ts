import type { Entry } from '../../entries/content/content.ts'
import type { Principal } from '../../foundation/http/http.ts'
import { makeDelta } from './delta.ts'
import type { Latest } from './revision-store.ts'
import type { RevisionAction } from './revisions.ts'
import type { NewRevisionRow } from './tables.ts'

/** One recorded write. */
export interface SeenWrite {
  readonly type: string
  readonly entryId: number
  readonly action: RevisionAction
  /** The entry is permanently deleted, along with its revisions. */
  readonly isLast: boolean
  /** An editor saved automatically; see `autosaveWrite`. */
  readonly isAutosave: boolean
  readonly before: Entry | undefined
  readonly after: Entry
  readonly principal: Principal
  readonly now: string
}

/** Shorter entries are stored whole: a delta would save nothing. */
const shortText = 200

/** Whether the newest revision contains the entry as it was before a write. */
export function isKnown(before: Entry, action: RevisionAction, latest: Latest | undefined): boolean {
  if (latest === undefined) return false
  // A soft delete returns the entry as it was before, so the stored time does not match.
  return action === 'undelete' || latest.stateAt >= stateOf(before)
}

/** The row for a write, and the state that the next revision follows. */
export function rowAfter(
  write: SeenWrite,
  latest: Latest | undefined,
): { row: NewRevisionRow; latest: Latest } {
  const { type, entryId, action, after, principal, now } = write
  const text = textOf(after)
  const version = (latest?.version ?? 0) + 1
  const encoded = encode(text, version, latest)
  const { baseVersion, weight } = encoded
  // A nested write may already have changed the entry again.
  const stateAt = latest !== undefined && latest.stateAt > stateOf(after) ? latest.stateAt : stateOf(after)
  const place = { version, baseVersion, weight, stateAt }
  const row = { type, entryId, action, data: encoded.data, ...place, ...authorOf(principal), createdAt: now }
  return { row, latest: { ...place, baseData: encoded.baseData } }
}

/** Stores a delta to the base until all deltas to that base together are as long as the entry; then the entry whole. */
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

/** The version of an entry. */
export function stateOf(entry: Entry): string {
  return String(entry.updated_at)
}

function authorOf(principal: Principal): Pick<NewRevisionRow, 'authorKind' | 'authorId' | 'authorName'> {
  if (principal.kind === 'anonymous') return { authorKind: null, authorId: null, authorName: null }
  const { kind, id } = principal
  const name = principal.kind === 'token' ? principal.name : principal.username
  return { authorKind: kind, authorId: id, authorName: name.slice(0, 255) }
}
