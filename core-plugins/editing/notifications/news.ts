import type { FilledSection, InboxItem, InboxSection } from '../inbox/inbox.ts'
import type { PendingRow } from './tables.ts'

/** The new items in a section, and how many items wait in it. */
export interface SectionNews {
  readonly section: InboxSection
  readonly news: readonly InboxItem[]
  /** The number of all waiting items, old and new. */
  readonly total: number
  /** Whether there are more items than were looked at. */
  readonly hasMore: boolean
}

/** The period that a digest covers. */
export interface Period {
  readonly after: string
  readonly until: string
}

/** The items that arrived in the sections within a period. */
export function newsOf(
  inbox: readonly FilledSection[],
  sections: ReadonlySet<string>,
  { after, until }: Period,
): readonly SectionNews[] {
  return newsWhere(inbox, sections, (_, { at }) => at !== null && at > after && at <= until)
}

/** The pending items that still wait. */
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

/** The number of new items. */
export const countNews = (sections: readonly SectionNews[]): number =>
  sections.reduce((sum, { news }) => sum + news.length, 0)
