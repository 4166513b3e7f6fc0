import type { IndexedText, SearchDocument } from '../document.ts'
import { gapToken } from '../tokens.ts'

/**
 * The version of the document format; increase it with every change. Processes of an earlier version, which may still write at
 * the same time, leave another number or none.
 */
export const documentFormat = 6

/** A document in the form of an engine, by column name. */
export type DocumentRow = Readonly<Record<string, string | number | null>>

/** The columns that all engines have. */
export function commonRow({ type, entryId, locale, publishedAt, updatedAt }: SearchDocument): DocumentRow {
  return { type, entryId, locale, publishedAt, updatedAt, format: documentFormat }
}

/** For engines that split text into words themselves. */
export function textOf({ words, stems, others }: IndexedText): string {
  let text = [...words, ...stems].join(' ')
  // The gap prevents phrases across words.
  for (const other of others) text += ` ${gapToken} ${other}`
  return text
}
