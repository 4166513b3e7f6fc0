import type { RecentChange } from '../../live/live.ts'
import type { ChangeName, FollowedEntries } from '../plan/entry-event.ts'

/** What has happened to one entry, and may concern a subscriber. */
export interface Candidate {
  readonly id: number
  readonly first: RecentChange
  readonly last: RecentChange
}

export interface Subscriber {
  /** Whether unpublished entries, too, are shown. */
  readonly seesDrafts: boolean
  /** Whether plugins take part in reads, so that nobody knows who could see an entry before. */
  readonly isRestricted: boolean
}

/** The entries that a subscription follows, in the order in which they were changed last. */
export function candidatesIn(
  changes: readonly RecentChange[],
  followed: FollowedEntries,
  { seesDrafts }: Subscriber,
): readonly Candidate[] {
  const found = new Map<number, Candidate>()
  for (const change of changes) {
    const { entryId: id, kind, wasPublic, isPublic } = change
    if (id === undefined || followed.ids?.has(id) === false) continue
    const isShown = kind === 'draft' ? seesDrafts && followed.draft : seesDrafts || wasPublic || isPublic
    if (!isShown) continue
    const first = found.get(id)?.first ?? change
    // Last in the order of the map, too.
    found.delete(id)
    found.set(id, { id, first, last: change })
  }
  return [...found.values()]
}

/** What a subscriber is told of an entry that they see now, or do not see; undefined: nothing. */
export function changeOf(
  { first, last }: Candidate,
  isSeen: boolean,
  { locale }: FollowedEntries,
  subscriber: Subscriber,
): ChangeName | undefined {
  const wasSeen = subscriber.seesDrafts ? first.kind !== 'create' : first.wasPublic
  if (isSeen) return wasSeen ? 'UPDATED' : 'CREATED'
  if (!wasSeen || subscriber.isRestricted) return undefined
  const localeBefore = last.localeBefore ?? last.locale
  return locale === undefined || localeBefore === undefined || localeBefore === locale ? 'DELETED' : undefined
}
