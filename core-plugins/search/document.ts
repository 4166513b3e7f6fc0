import type { ContentType } from '../schemas/schemas.ts'
import type { SearchedText } from './searched-texts.ts'
import { stemsOf } from './stem.ts'
import type { Tokenizers } from './tokenizers.ts'
import { gapToken, stemToken, wordToken } from './tokens.ts'
import { wordsIn } from './words.ts'

/** What the index stores of an entry. */
export interface SearchDocument {
  readonly type: string
  readonly entryId: number
  /** Null for types without locales. */
  readonly locale: string | null
  /** ISO 8601; null for drafts, and for types without drafts. */
  readonly publishedAt: string | null
  /** The entry's `updated_at`. */
  readonly updatedAt: string
  readonly title: IndexedText
  readonly body: IndexedText
}

/** Words encoded as in `tokens.ts`. */
export interface IndexedText {
  /** In text order, with a gap token after each text. */
  readonly words: readonly string[]
  /**
   * The distinct stems of all words, in no order. Includes stems that are words themselves: engines rank rare
   * terms higher, and a stem must not seem rarer than the word that was searched for.
   */
  readonly stems: readonly string[]
}

/** Words beyond this are not searched: the databases do not count further. */
const maxWords = 16_000

export interface DocumentSource {
  readonly type: ContentType
  /** Includes its system fields. */
  readonly entry: Readonly<Record<string, unknown>>
  readonly texts: readonly SearchedText[]
  /** The locale for entries without one. */
  readonly defaultLocale: string
  readonly tokenizers: Tokenizers
}

export function documentOf({
  type,
  entry,
  texts,
  defaultLocale,
  tokenizers,
}: DocumentSource): SearchDocument {
  const locale = typeof entry.locale === 'string' ? entry.locale : null
  const language = { locale: locale ?? defaultLocale, tokenizers }
  const room = { words: maxWords }
  return {
    type: type.name,
    entryId: Number(entry.id),
    locale,
    publishedAt: typeof entry.published_at === 'string' ? entry.published_at : null,
    updatedAt: String(entry.updated_at),
    title: indexed(
      texts.filter(({ isTitle }) => isTitle),
      language,
      room,
    ),
    body: indexed(
      texts.filter(({ isTitle }) => !isTitle),
      language,
      room,
    ),
  }
}

function indexed(
  texts: readonly SearchedText[],
  { locale, tokenizers }: { readonly locale: string; readonly tokenizers: Tokenizers },
  room: { words: number },
): IndexedText {
  const words: string[] = []
  const stems = new Set<string>()
  for (const { text } of texts) {
    const tokens = room.words === 0 ? [] : tokenizers.tokensOf(text, locale)
    const locales = tokens === undefined ? [locale] : []
    for (const { stem } of tokens ?? []) if (stem !== '') stems.add(stemToken(stem))
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
