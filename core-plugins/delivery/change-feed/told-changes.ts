import type { Change } from '../../entries/changes/changes.ts'
import type { Entry } from '../../entries/content/content.ts'
import type { FollowedType, Following } from './following.ts'

/** A change of one entry as shown to clients. */
export interface ToldChange {
  /** The cursor to continue after it; undefined in a snapshot. */
  readonly cursor?: string
  readonly type: string
  readonly id: number
  readonly locale: string | null
  readonly kind: 'changed' | 'gone'
  /** ISO 8601; undefined in a snapshot. */
  readonly at?: string
  /** The present state; undefined if it was not requested, or is too large for a response. */
  readonly entry?: Entry
}

/** Returns those entries of a type, among the given ids, that the caller of the request may see. */
export type FindVisible = (type: FollowedType, ids: readonly number[]) => Promise<readonly Entry[]>

interface Telling {
  readonly following: Following
  readonly findVisible: FindVisible
  readonly cursorOf: (position: number) => string
}

/** The changes of one entry within a stretch of the log. */
interface Candidate {
  readonly followed: FollowedType
  readonly id: number
  readonly changes: Change[]
}

/**
 * The part of a stretch of the log that a caller may know. An entry that they may see now is reported as changed; an entry
 * that they may not see is reported as gone, if everybody could see it before one of the changes. Nothing is revealed of other
 * entries, not even the time of a write. Each entry is reported once.
 */
export async function tellChanges(changes: readonly Change[], telling: Telling): Promise<ToldChange[]> {
  const candidates = candidatesIn(changes, telling.following)
  const told: { readonly position: number; readonly change: ToldChange }[] = []
  for (const [followed, ofType] of byType(candidates)) {
    const ids = ofType.map(({ id }) => id)
    const found = await telling.findVisible(followed, ids)
    const entries = new Map(found.map((entry) => [entry.id, entry]))
    for (const candidate of ofType) {
      const last = lastTold(candidate, entries.get(candidate.id), telling.following)
      if (last === undefined) continue
      const { position = 0, at } = last.change
      const head = { cursor: telling.cursorOf(position), type: followed.type.name, id: candidate.id }
      told.push({ position, change: { ...head, ...last.state, at } })
    }
  }
  return told.sort((one, other) => one.position - other.position).map(({ change }) => change)
}

/** The representation of an entry that the caller may see. */
export function shownEntry(
  entry: Entry,
  { isLocalized }: FollowedType,
  { withEntries }: Pick<Following, 'withEntries'>,
): Pick<ToldChange, 'locale' | 'kind' | 'entry'> {
  const locale = isLocalized && typeof entry.locale === 'string' ? entry.locale : null
  return { locale, kind: 'changed', ...(withEntries && { entry }) }
}

/** Whether the caller may have seen the entry before a change, unless a plugin hides it. */
function wasKnown({ kind, wasPublic }: Change, { seesDrafts }: FollowedType): boolean {
  return wasPublic || (seesDrafts && kind !== 'create')
}

/** Whether a change may concern callers who follow the type. */
export function isKnown({ wasPublic, isPublic }: Change, { seesDrafts }: FollowedType): boolean {
  return seesDrafts || wasPublic || isPublic
}

function candidatesIn(changes: readonly Change[], { types }: Following): Iterable<Candidate> {
  const candidates = new Map<string, Candidate>()
  for (const change of changes) {
    const { type = '', entryId: id, kind } = change
    const followed = types.get(type)
    if (followed === undefined || id === undefined || kind === 'draft') continue
    const key = `${type} ${id}`
    const candidate = candidates.get(key) ?? { followed, id, changes: [] }
    candidate.changes.push(change)
    candidates.set(key, candidate)
  }
  return candidates.values()
}

function byType(candidates: Iterable<Candidate>): ReadonlyMap<FollowedType, readonly Candidate[]> {
  const types = new Map<FollowedType, Candidate[]>()
  for (const candidate of candidates) {
    const ofType = types.get(candidate.followed) ?? []
    ofType.push(candidate)
    types.set(candidate.followed, ofType)
  }
  return types
}

/** The last change of an entry to report, and its kind. */
function lastTold({ followed, changes }: Candidate, entry: Entry | undefined, following: Following) {
  const { locale } = following
  const isNarrowed = followed.isLocalized && locale !== undefined
  if (entry !== undefined && (!isNarrowed || entry.locale === locale)) {
    const change = changes.at(-1)
    return change && { change, state: shownEntry(entry, followed, following) }
  }
  // If the caller sees the entry in another locale, its former presence in this locale is not a secret.
  const change = changes.findLast(
    (each) =>
      (entry !== undefined || wasKnown(each, followed)) && (!isNarrowed || mayHaveBeenIn(each, locale)),
  )
  const state = { locale: goneFrom(change, followed, locale), kind: 'gone' as const }
  return change && { change, state }
}

/** The locale that the entry has left, which is the requested one. The new locale may be that of a draft, so it is not shown. */
function goneFrom(change: Change | undefined, { isLocalized }: FollowedType, locale: string | undefined) {
  if (!isLocalized) return null
  return locale ?? localeBefore(change) ?? null
}

function localeBefore(change: Change | undefined): string | undefined {
  const before = change?.before?.locale
  return typeof before === 'string' ? before : change?.locale
}

/** Whether the entry was in a locale before or after a change, as far as the log shows. */
function mayHaveBeenIn({ locale, before, fields }: Change, wanted: string): boolean {
  if (locale === undefined || locale === wanted) return true
  if (before === undefined) return fields === undefined || fields.has('locale')
  return before?.locale === wanted
}
