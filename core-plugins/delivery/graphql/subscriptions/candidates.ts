import type { RecentChange } from '../../live/live.ts'
import type { ChangeName, FollowedEntries } from '../plan/entry-event.ts'

/** The changes of one entry that may concern a subscriber. */
export interface Candidate {
  readonly id: number
  readonly first: RecentChange
  readonly last: RecentChange
}

export interface Subscriber {
  /** Whether unpublished entries are also shown. */
  readonly seesDrafts: boolean
  /** Whether plugins restrict reads, so that it is unknown who could see an entry before the change. */
  readonly isRestricted: boolean
}

/** The changed entries that a subscription follows, in the order of their last change. */
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
    // Deleted first, so that it moves to the end of the map's order.
    found.delete(id)
    found.set(id, { id, first, last: change })
  }
  return [...found.values()]
}

/** The change from the subscriber's view, given whether they now see the entry; undefined if there is none to report. */
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
