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

/** Words beyond this are not searched, each end of a text counted as one: PostgreSQL counts positions up to 16,383. */
const maxWords = 16_000
/**
 * Nor are words for which there is no room within this: PostgreSQL refuses a `tsvector` of more than 1,048,575 bytes, and all databases
 * find the same. The largest one is that of `byField`; the last word may take a few hundred bytes more.
 */
const maxVectorBytes = 1_000_000
/** What a `tsvector` takes for each different token beside its letters, at most: one byte of alignment, and two for a count. */
const bytesPerToken = 3
/** What it takes for each place of a token. */
const bytesPerPosition = 2

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

/** The tokens of texts while they are collected. */
class Collected {
  readonly words: string[] = []
  readonly fieldWords: string[] = []
  readonly stems = new Set<string>()
  readonly fieldStems = new Set<string>()

  get indexed(): Indexed {
    return {
      anywhere: { words: this.words, stems: [...this.stems] },
      byField: { words: this.fieldWords, stems: [...this.fieldStems] },
    }
  }
}

/** Indexes the texts of one entry, as far as there is room. */
class TextIndexer {
  readonly spelled = new Set<string>()
  readonly #locale: string
  readonly #tokenizers: Tokenizers
  readonly #known = new Set<string>()
  #wordsLeft = maxWords
  #bytesLeft = maxVectorBytes

  constructor(locale: string, tokenizers: Tokenizers) {
    this.#locale = locale
    this.#tokenizers = tokenizers
  }

  index(texts: readonly SearchedText[]): Indexed {
    const collected = new Collected()
    for (const text of texts) {
      if (!this.#hasRoom()) break
      this.#indexText(text, collected)
    }
    return collected.indexed
  }

  #indexText({ text, field }: SearchedText, collected: Collected): void {
    const found = this.#tokenizers.tokensOf(text, this.#locale)
    const locales = found === undefined ? [this.#locale] : []
    const tokens = (found ?? []).filter(({ stem }) => stem !== '')
    let next = 0
    // In the order of the text, so that where the room ends, what stands before is found in all ways.
    const addTokensBefore = (end: number) => {
      for (let token = tokens[next]; token !== undefined && token.start < end; token = tokens[next]) {
        if (!this.#hasRoom()) return
        this.#addStem(token.stem, field, collected)
        next += 1
      }
    }
    for (const word of wordsIn(text)) {
      if (!this.#hasRoom()) break
      this.#addWord(word.text, field, collected)
      for (const stem of stemsOf(word, locales)) this.#addStem(stem, field, collected)
      addTokensBefore(word.end)
    }
    addTokensBefore(text.length)
    collected.words.push(gapToken)
    collected.fieldWords.push(gapToken)
    this.#wordsLeft -= 1
    this.#use(gapToken)
    this.#bytesLeft -= bytesPerPosition
  }

  #addWord(word: string, field: string, { words, fieldWords }: Collected): void {
    const fieldWord = fieldWordToken(field, word)
    if (isSpelled(word)) this.spelled.add(word)
    words.push(wordToken(word))
    fieldWords.push(fieldWord)
    this.#wordsLeft -= 1
    this.#use(fieldWord)
    this.#bytesLeft -= bytesPerPosition
  }

  /** All places of a stem count as one. */
  #addStem(stem: string, field: string, { stems, fieldStems }: Collected): void {
    const fieldStem = fieldStemToken(field, stem)
    stems.add(stemToken(stem))
    fieldStems.add(fieldStem)
    if (this.#use(fieldStem)) this.#bytesLeft -= bytesPerPosition
  }

  #hasRoom(): boolean {
    return this.#wordsLeft > 0 && this.#bytesLeft > 0
  }

  /** Whether the token is a new one. */
  #use(token: string): boolean {
    if (this.#known.has(token)) return false
    this.#known.add(token)
    this.#bytesLeft -= token.length + bytesPerToken
    return true
  }
}
