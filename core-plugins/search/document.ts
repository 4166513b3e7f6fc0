import type { ContentType } from '../schemas/schemas.ts'
import type { SearchedText } from './searched-texts.ts'
import { isSpelled } from './spelled.ts'
import { stemsOf } from './stem.ts'
import type { Tokenizers } from './tokenizers.ts'
import { fieldStemToken, fieldWordToken, gapToken, stemToken, wordToken } from './tokens.ts'
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
  /** The same once more, as words of their fields. */
  readonly byField: DocumentParts
  /** The different words that somebody may mistype (see `isSpelled`). */
  readonly spelled: ReadonlySet<string>
}

/** What is indexed of the title, which counts most, and of all other texts. */
export type DocumentParts = Pick<SearchDocument, 'title' | 'body'>

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
/** Nor are those beyond this many characters of different tokens: PostgreSQL refuses vectors of a megabyte. */
const maxLength = 800_000

export interface DocumentSource {
  readonly type: ContentType
  /** Includes its system fields. */
  readonly entry: Readonly<Record<string, unknown>>
  readonly texts: readonly SearchedText[]
  /** The locale for entries without one. */
  readonly defaultLocale: string
  readonly tokenizers: Tokenizers
}

export function documentOf(source: DocumentSource): SearchDocument {
  const { type, entry, texts } = source
  const locale = typeof entry.locale === 'string' ? entry.locale : null
  const indexer = new TextIndexer(locale ?? source.defaultLocale, source.tokenizers)
  const title = indexer.index(texts.filter(({ isTitle }) => isTitle))
  const body = indexer.index(texts.filter(({ isTitle }) => !isTitle))
  return {
    type: type.name,
    entryId: Number(entry.id),
    locale,
    publishedAt: typeof entry.published_at === 'string' ? entry.published_at : null,
    updatedAt: String(entry.updated_at),
    title: title.anywhere,
    body: body.anywhere,
    byField: { title: title.byField, body: body.byField },
    spelled: indexer.spelled,
  }
}

/** The tokens of texts, with and without their fields. */
interface Indexed {
  readonly anywhere: IndexedText
  readonly byField: IndexedText
}

/** Indexes the texts of one entry, as far as there is room. */
class TextIndexer {
  readonly spelled = new Set<string>()
  readonly #locale: string
  readonly #tokenizers: Tokenizers
  readonly #known = new Set<string>()
  #wordsLeft = maxWords
  #lengthLeft = maxLength

  constructor(locale: string, tokenizers: Tokenizers) {
    this.#locale = locale
    this.#tokenizers = tokenizers
  }

  index(texts: readonly SearchedText[]): Indexed {
    const words: string[] = []
    const fieldWords: string[] = []
    const stems = new Set<string>()
    const fieldStems = new Set<string>()
    for (const { text, field } of texts) {
      if (!this.#hasRoom()) break
      const stemsOfWord = (found: readonly string[]) => {
        for (const stem of found) {
          stems.add(stemToken(stem))
          fieldStems.add(fieldStemToken(field, stem))
          this.#use(fieldStemToken(field, stem))
        }
      }
      const tokens = this.#tokenizers.tokensOf(text, this.#locale)
      const locales = tokens === undefined ? [this.#locale] : []
      stemsOfWord((tokens ?? []).map(({ stem }) => stem).filter((stem) => stem !== ''))
      for (const word of wordsIn(text)) {
        if (!this.#hasRoom()) break
        this.#wordsLeft -= 1
        const fieldWord = fieldWordToken(field, word.text)
        if (isSpelled(word.text)) this.spelled.add(word.text)
        words.push(wordToken(word.text))
        fieldWords.push(fieldWord)
        this.#use(fieldWord)
        stemsOfWord(stemsOf(word, locales))
      }
      words.push(gapToken)
      fieldWords.push(gapToken)
    }
    return {
      anywhere: { words, stems: [...stems] },
      byField: { words: fieldWords, stems: [...fieldStems] },
    }
  }

  #hasRoom(): boolean {
    return this.#wordsLeft > 0 && this.#lengthLeft > 0
  }

  #use(token: string): void {
    if (this.#known.has(token)) return
    this.#known.add(token)
    this.#lengthLeft -= token.length
  }
}
