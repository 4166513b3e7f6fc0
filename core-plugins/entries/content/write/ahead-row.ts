import type { Entry } from '../entry/entry.ts'
import { nextUpdatedAt, versionColumn } from '../entry/version.ts'
import { type WriteAnnotation, writeAnnotation } from '../write-annotation.ts'
import type { KeptTimes } from './kept-times.ts'

type Columns = Readonly<Record<string, unknown>>

/**
 * The row of an entry that is created and then published in the same transaction. It is inserted as the publication leaves it, which has
 * nothing to write any more; stages and listeners see a draft first, and its publication after it.
 */
export class AheadRow {
  /** What the publication writes. */
  readonly columns: Columns
  /** The draft, and everything that is in its row; once that is inserted. */
  inserted: { readonly entry: Entry; readonly columns: Columns } | undefined
  /** The publication has come to where it would have written. */
  isReached = false

  private constructor(columns: Columns) {
    this.columns = columns
  }

  /** `times`: those that the publication is told, and that the draft was given. */
  static publishedAt(
    publishedAt: string,
    { now, times, draftTimes }: { now: string; times: KeptTimes; draftTimes: KeptTimes },
  ): AheadRow {
    const draft = { [versionColumn]: draftTimes.updatedAt ?? now } as unknown as Entry
    const updatedAt = nextUpdatedAt(times.updatedAt ?? now, draft)
    return new AheadRow({ published_at: publishedAt, [versionColumn]: updatedAt })
  }

  /** Whether a publication would write what is in the row. */
  isAs(change: Columns): boolean {
    const row = this.inserted?.columns ?? {}
    return (
      Object.keys(this.columns).every((name) => Object.hasOwn(change, name)) &&
      Object.entries(change).every(([name, value]) => Object.hasOwn(row, name) && row[name] === value)
    )
  }
}

export const aheadRow: WriteAnnotation<AheadRow> = writeAnnotation('content.ahead-row')
