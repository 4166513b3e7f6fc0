import type { Change } from '../../entries/changes/changes.ts'

/** The part of a change that decides which clients get it. */
export type RecentChange = Pick<Change, 'type' | 'entryId' | 'kind' | 'wasPublic' | 'isPublic' | 'locale'> & {
  readonly position: number
  /** The locale of the entry before it; undefined where there was none, or it is not known. */
  readonly localeBefore: string | undefined
}

/** The most changes that a returning client is sent; if it has missed more, it starts over. */
export const maxReplayed = 1_000

/** The newest changes of the log, for clients that have missed some of them. */
export class RecentChanges {
  #changes: RecentChange[] = []
  /** All later changes are kept. */
  #from = 0
  /** Of the newest change, or where the log was when it was looked at. */
  position = 0

  /** Begins with the changes after `from`, up to `position`. */
  begin(changes: readonly Change[], from: number, position: number): void {
    this.#changes = changes.map(kept)
    this.#from = from
    this.position = position
  }

  /** Answers what is kept of them. */
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

  /** The changes after a position; undefined if they are too many or not known. */
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
