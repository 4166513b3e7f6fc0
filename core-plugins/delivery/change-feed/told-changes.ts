import type { Change } from '../../entries/changes/changes.ts'
import type { Entry } from '../../entries/content/content.ts'
import type { FollowedType, Following } from './following.ts'

/** One entry of which something is told. */
export interface ToldChange {
  /** Where to go on after it; undefined in a snapshot. */
  readonly cursor?: string
  readonly type: string
  readonly id: number
  readonly locale: string | null
  readonly kind: 'changed' | 'gone'
  /** ISO 8601; undefined in a snapshot. */
  readonly at?: string
  /** As it is now; undefined if it was not asked for, or is too large for an answer. */
  readonly entry?: Entry
}

/** Finds the entries of a type, among those with these ids, that the caller of the request sees. */
export type FindVisible = (type: FollowedType, ids: readonly number[]) => Promise<readonly Entry[]>

interface Telling {
  readonly following: Following
  readonly findVisible: FindVisible
  readonly cursorOf: (position: number) => string
}

/** What has happened to one entry within a stretch of the log. */
interface Candidate {
  readonly followed: FollowedType
  readonly id: number
  readonly changes: Change[]
}

/**
 * What a caller may know of a stretch of the log. An entry that they see now has changed; one that they do not see is
 * gone, if everybody could see it before one of the changes. Of any other they learn nothing, not even when it
 * was written. Each entry is told once.
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

/** What is told of an entry that the caller sees. */
export function shownEntry(
  entry: Entry,
  { isLocalized }: FollowedType,
  { withEntries }: Pick<Following, 'withEntries'>,
): Pick<ToldChange, 'locale' | 'kind' | 'entry'> {
  const locale = isLocalized && typeof entry.locale === 'string' ? entry.locale : null
  return { locale, kind: 'changed', ...(withEntries && { entry }) }
}

/** Whether somebody may have seen the entry before a change, if a plugin does not hide it from them. */
function wasKnown({ kind, wasPublic }: Change, { seesDrafts }: FollowedType): boolean {
  return wasPublic || (seesDrafts && kind !== 'create')
}

/** Whether a change may concern those who follow the type. */
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

/** The last change of an entry that is told, and as what. */
function lastTold({ followed, changes }: Candidate, entry: Entry | undefined, following: Following) {
  const { locale } = following
  const isNarrowed = followed.isLocalized && locale !== undefined
  if (entry !== undefined && (!isNarrowed || entry.locale === locale)) {
    const change = changes.at(-1)
    return change && { change, state: shownEntry(entry, followed, following) }
  }
  // Where somebody sees the entry elsewhere, that it was here is no secret.
  const change = changes.findLast(
    (each) =>
      (entry !== undefined || wasKnown(each, followed)) && (!isNarrowed || mayHaveBeenIn(each, locale)),
  )
  const state = { locale: goneFrom(change, followed, locale), kind: 'gone' as const }
  return change && { change, state }
}

/** The locale that it has left, which is the one asked for. The new one may be that of a draft. */
function goneFrom(change: Change | undefined, { isLocalized }: FollowedType, locale: string | undefined) {
  if (!isLocalized) return null
  return locale ?? localeBefore(change) ?? null
}

function localeBefore(change: Change | undefined): string | undefined {
  const before = change?.before?.locale
  return typeof before === 'string' ? before : change?.locale
}

/** Whether the entry was in a locale before or after a change, as far as the log knows. */
function mayHaveBeenIn({ locale, before, fields }: Change, wanted: string): boolean {
  if (locale === undefined || locale === wanted) return true
  if (before === undefined) return fields === undefined || fields.has('locale')
  return before?.locale === wanted
}
