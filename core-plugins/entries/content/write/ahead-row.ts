import type { Entry } from '../entry/entry.ts'
import { nextUpdatedAt, versionColumn } from '../entry/version.ts'
import { type WriteAnnotation, writeAnnotation } from '../write-annotation.ts'
import type { KeptTimes } from './kept-times.ts'

type Columns = Readonly<Record<string, unknown>>

/**
 * The row of an entry that is created and then published in the same transaction. It is inserted in its published state, so that
 * the publication need not write again; stages and listeners still see a draft first and then its publication.
 */
export class AheadRow {
  /** The columns that the publication would write. */
  readonly columns: Columns
  /** The draft and all columns of its row; set once the row is inserted. */
  inserted: { readonly entry: Entry; readonly columns: Columns } | undefined
  /** Whether the publication has got as far as the write that it can skip. */
  isReached = false

  private constructor(columns: Columns) {
    this.columns = columns
  }

  /** `times` are the times given to the publication, `draftTimes` those given to the draft. */
  static publishedAt(
    publishedAt: string,
    { now, times, draftTimes }: { now: string; times: KeptTimes; draftTimes: KeptTimes },
  ): AheadRow {
    const draft = { [versionColumn]: draftTimes.updatedAt ?? now } as unknown as Entry
    const updatedAt = nextUpdatedAt(times.updatedAt ?? now, draft)
    return new AheadRow({ published_at: publishedAt, [versionColumn]: updatedAt })
  }

  /** Whether the row already contains everything that the publication would write. */
  isAs(change: Columns): boolean {
    const row = this.inserted?.columns ?? {}
    return (
      Object.keys(this.columns).every((name) => Object.hasOwn(change, name)) &&
      Object.entries(change).every(([name, value]) => Object.hasOwn(row, name) && row[name] === value)
    )
  }
}

export const aheadRow: WriteAnnotation<AheadRow> = writeAnnotation('content.ahead-row')
