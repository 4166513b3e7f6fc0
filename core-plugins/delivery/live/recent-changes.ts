import type { Change } from '../../entries/changes/changes.ts'

/** The parts of a change that decide which clients get it. */
export type RecentChange = Pick<Change, 'type' | 'entryId' | 'kind' | 'wasPublic' | 'isPublic' | 'locale'> & {
  readonly position: number
  /** The locale of the entry before the change; undefined if it did not exist or the locale is unknown. */
  readonly localeBefore: string | undefined
}

/** The maximum number of changes sent to a returning client; a client that missed more starts over. */
export const maxReplayed = 1_000

/** The newest changes of the log, for clients that missed some of them. */
export class RecentChanges {
  #changes: RecentChange[] = []
  /** All changes after this position are kept. */
  #from = 0
  /** The position of the newest change, or of the log when it was last read. */
  position = 0

  /** Starts with the changes after `from`, up to `position`. */
  begin(changes: readonly Change[], from: number, position: number): void {
    this.#changes = changes.map(kept)
    this.#from = from
    this.position = position
  }

  /** Returns the kept form of the changes. */
  add(changes: readonly Change[], position: number): readonly RecentChange[] {
    const added = changes.map(kept)
    this.#changes.push(...added)
    this.position = position
    if (this.#changes.length > 2 * maxReplayed) {
      const dropped = this.#changes.splice(0, this.#changes.length - maxReplayed)
      this.#from = dropped.at(-1)?.position ?? this.#from
    }
    return added
  }

  /** The changes after a position; undefined if there are too many or they are not known. */
  after(position: number): readonly RecentChange[] | undefined {
    if (position < this.#from || position > this.position) return undefined
    let first = this.#changes.length
    while (first > 0 && (this.#changes[first - 1]?.position ?? 0) > position) first -= 1
    return this.#changes.length - first > maxReplayed ? undefined : this.#changes.slice(first)
  }
}

function kept({ position = 0, before, ...change }: Change): RecentChange {
  const { type, entryId, kind, wasPublic, isPublic, locale } = change
  const localeBefore = typeof before?.locale === 'string' ? before.locale : undefined
  return { type, entryId, kind, wasPublic, isPublic, locale, localeBefore, position }
}
