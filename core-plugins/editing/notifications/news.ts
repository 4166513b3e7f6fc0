import type { FilledSection, InboxItem, InboxSection } from '../inbox/inbox.ts'
import type { PendingRow } from './tables.ts'

/** What is new in a section, and how much waits in it. */
export interface SectionNews {
  readonly section: InboxSection
  readonly news: readonly InboxItem[]
  /** Of all that waits in it, old and new. */
  readonly total: number
  /** There is more than was looked at. */
  readonly hasMore: boolean
}

/** The period that a digest is about. */
export interface Period {
  readonly after: string
  readonly until: string
}

/** What has come into sections in a period. */
export function newsOf(
  inbox: readonly FilledSection[],
  sections: ReadonlySet<string>,
  { after, until }: Period,
): readonly SectionNews[] {
  return newsWhere(inbox, sections, (_, { at }) => at !== null && at > after && at <= until)
}

/** What still waits of what somebody is to be told at once. */
export function newsOfPending(
  inbox: readonly FilledSection[],
  sections: ReadonlySet<string>,
  pending: readonly PendingRow[],
): readonly SectionNews[] {
  const keys = new Set(pending.map(({ section, type, entryId, at }) => `${section} ${type} ${entryId} ${at}`))
  return newsWhere(inbox, sections, (section, { type, id, at }) => keys.has(`${section} ${type} ${id} ${at}`))
}

function newsWhere(
  inbox: readonly FilledSection[],
  sections: ReadonlySet<string>,
  isNew: (section: string, item: InboxItem) => boolean,
): readonly SectionNews[] {
  return inbox
    .filter(({ section }) => sections.has(section))
    .map(({ section, items, hasMore }) => {
      const news = items.filter((item) => isNew(section, item))
      return { section, news, total: items.length, hasMore }
    })
}

/** How much is new. */
export const countNews = (sections: readonly SectionNews[]): number =>
  sections.reduce((sum, { news }) => sum + news.length, 0)
