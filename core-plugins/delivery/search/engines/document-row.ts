import type { IndexedText, SearchDocument } from '../document.ts'
import { gapToken } from '../tokens.ts'

/**
 * How documents are built; increased whenever that changes. A process of an earlier version, which may still write beside this one,
 * leaves another number or none.
 */
export const documentFormat = 6

/** A document as an engine stores it, by the names of its columns there. */
export type DocumentRow = Readonly<Record<string, string | number | null>>

/** The columns of every engine. */
export function commonRow({ type, entryId, locale, publishedAt, updatedAt }: SearchDocument): DocumentRow {
  return { type, entryId, locale, publishedAt, updatedAt, format: documentFormat }
}

/** For engines that cut texts into words by themselves. */
export function textOf({ words, stems, others }: IndexedText): string {
  let text = [...words, ...stems].join(' ')
  // No phrase goes from one to the next.
  for (const other of others) text += ` ${gapToken} ${other}`
  return text
}
