import type { ContentType } from '../schemas/schemas.ts'
import type { SearchedText } from './searched-texts.ts'
import { stemsOf } from './stem.ts'
import { gapToken, stemToken, wordToken } from './tokens.ts'
import { wordsIn } from './words.ts'

/** What the index knows of an entry. */
export interface SearchDocument {
  readonly type: string
  readonly entryId: number
  /** Null for types without locales. */
  readonly locale: string | null
  /** ISO 8601; null for drafts, and types that have none. */
  readonly publishedAt: string | null
  /** The entry's `updated_at`. */
  readonly updatedAt: string
  readonly title: IndexedText
  readonly body: IndexedText
}

/** Words in the disguise of `tokens.ts`. */
export interface IndexedText {
  /** In their order, with a gap behind each text. */
  readonly words: readonly string[]
  /**
   * Of every word, each once and in no order. A stem that is a word itself is there, too: engines take what is rare for
   * important, and a stem must not seem rarer than the word that was asked for.
   */
  readonly stems: readonly string[]
}

/** What is behind that of a longer entry is not searched: the databases count no further. */
const maxWords = 16_000

export interface DocumentSource {
  readonly type: ContentType
  /** With its system fields. */
  readonly entry: Readonly<Record<string, unknown>>
  readonly texts: readonly SearchedText[]
  /** The locale of entries that have none. */
  readonly defaultLocale: string
}

export function documentOf({ type, entry, texts, defaultLocale }: DocumentSource): SearchDocument {
  const locale = typeof entry.locale === 'string' ? entry.locale : null
  const locales = [locale ?? defaultLocale]
  const room = { words: maxWords }
  return {
    type: type.name,
    entryId: Number(entry.id),
    locale,
    publishedAt: typeof entry.published_at === 'string' ? entry.published_at : null,
    updatedAt: String(entry.updated_at),
    title: indexed(
      texts.filter(({ isTitle }) => isTitle),
      locales,
      room,
    ),
    body: indexed(
      texts.filter(({ isTitle }) => !isTitle),
      locales,
      room,
    ),
  }
}

function indexed(
  texts: readonly SearchedText[],
  locales: readonly string[],
  room: { words: number },
): IndexedText {
  const words: string[] = []
  const stems = new Set<string>()
  for (const { text } of texts) {
    for (const word of wordsIn(text)) {
      if (room.words === 0) return { words, stems: [...stems] }
      room.words -= 1
      words.push(wordToken(word.text))
      for (const stem of stemsOf(word, locales)) stems.add(stemToken(stem))
    }
    words.push(gapToken)
  }
  return { words, stems: [...stems] }
}
