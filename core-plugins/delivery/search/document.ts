import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { type IndexedWord, wordIndexer } from './indexed-word.ts'
import type { SearchedText } from './searched-texts.ts'
import type { Tokenizers } from './tokenizers.ts'
import { anywhere, encoded, gapToken, inField, type TokenPrefixes } from './tokens.ts'
import { type Compound, Compounds } from './words/compounds.ts'
import { WordFinder } from './words/word-finder.ts'
import { symbolAt } from './words/words.ts'

/** The data that the index stores for an entry. */
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
  /** The same texts as words of their fields. */
  readonly byField: DocumentParts
  /** The distinct words that may be mistyped in a search (see `isSpelled`). */
  readonly spelled: ReadonlySet<string>
}

/** The indexed text of the title, which counts most, and of all other fields. */
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
  /** Further distinct words that parts of the texts match, in no order: `email` for e-mail, `mueller` for Müller. */
  readonly others: readonly string[]
}

/** The number of indexed words, counting each end of a text as one, since PostgreSQL supports positions up to 16,383. */
const maxWords = 16_000
/**
 * Words that exceed this size are not indexed either: PostgreSQL refuses a `tsvector` of more than 1,048,575 bytes, and all
 * databases should find the same. The largest vector is the one of `byField`; the last word may exceed the limit by a few
 * hundred bytes.
 */
const maxVectorBytes = 1_000_000
/** The maximum size of a distinct token in a `tsvector` in addition to its letters: one byte of alignment, two for a count. */
const bytesPerToken = 3
/** The size of each position of a token. */
const bytesPerPosition = 2

/** The source of a document; can be copied with `structuredClone`. */
export interface DocumentSource
  extends Pick<SearchDocument, 'type' | 'entryId' | 'locale' | 'publishedAt' | 'updatedAt'> {
  readonly texts: readonly SearchedText[]
  /** The locale that decides how words are stemmed. */
  readonly wordLocale: string
}

/** `entry` includes its system fields; `defaultLocale` applies to entries without a locale. */
export function sourceOf(
  { name }: Pick<ContentType, 'name'>,
  entry: Readonly<Record<string, unknown>>,
  { texts, defaultLocale }: { readonly texts: readonly SearchedText[]; readonly defaultLocale: string },
): DocumentSource {
  const locale = typeof entry.locale === 'string' ? entry.locale : null
  return {
    type: name,
    entryId: Number(entry.id),
    locale,
    publishedAt: publishedAtOf(entry),
    updatedAt: String(entry.updated_at),
    texts,
    wordLocale: locale ?? defaultLocale,
  }
}

/** Null for drafts, and for types without drafts. */
export function publishedAtOf({
  published_at: publishedAt,
}: Readonly<Record<string, unknown>>): string | null {
  return typeof publishedAt === 'string' ? publishedAt : null
}

export function documentOf(
  { texts, wordLocale, ...source }: DocumentSource,
  tokenizers: Pick<Tokenizers, 'tokensOf'>,
): SearchDocument {
  const indexer = new TextIndexer(wordLocale, tokenizers)
  const title = indexer.index(texts.filter(({ isTitle }) => isTitle))
  const body = indexer.index(texts.filter(({ isTitle }) => !isTitle))
  return {
    ...source,
    title: title.anywhere,
    body: body.anywhere,
    byField: { title: title.byField, body: body.byField },
    spelled: indexer.spelled,
  }
}

/** The tokens of texts, once without and once with their field. */
interface Indexed {
  readonly anywhere: IndexedText
  readonly byField: IndexedText
}

/** The tokens of one field so far. */
interface FieldTokens {
  readonly prefixes: TokenPrefixes
  readonly readWord: (found: string) => IndexedWord
  readonly readCompound: (joined: string) => IndexedWord
  /** By original word; null if nothing remains after folding. */
  readonly words: Map<string, WordTokens | null>
  /** The joined forms. */
  readonly compounds: Set<string>
}

interface WordTokens {
  readonly text: string
  readonly word: string
  readonly fieldWord: string
}

/** Collects the tokens of texts. */
class Collected {
  readonly words: string[] = []
  readonly fieldWords: string[] = []
  readonly stems = new Set<string>()
  readonly fieldStems = new Set<string>()
  readonly others = new Set<string>()
  readonly fieldOthers = new Set<string>()
  /** By stemming locale (undefined if a tokenizer stems), since a tokenizer may fail for some of the texts. */
  readonly #fields = new Map<string | undefined, Map<string, FieldTokens>>()

  tokensOf(field: string, locale: string | undefined): FieldTokens {
    const fields = this.#fields.get(locale) ?? new Map<string, FieldTokens>()
    this.#fields.set(locale, fields)
    const known = fields.get(field)
    if (known !== undefined) return known
    const made: FieldTokens = {
      prefixes: inField(field),
      readWord: wordIndexer(locale),
      readCompound: wordIndexer(locale, 'compounds'),
      words: new Map(),
      compounds: new Set(),
    }
    fields.set(field, made)
    return made
  }

  get indexed(): Indexed {
    return {
      anywhere: { words: this.words, stems: [...this.stems], others: [...this.others] },
      byField: {
        words: this.fieldWords,
        stems: [...this.fieldStems],
        others: [...this.fieldOthers],
      },
    }
  }
}

/** Indexes the texts of one entry within the limits. */
class TextIndexer {
  readonly spelled = new Set<string>()
  readonly #locale: string
  readonly #tokenizers: Pick<Tokenizers, 'tokensOf'>
  /** The tokens with fields, which make up most of the largest vector. */
  readonly #tokens = new Set<string>()
  #wordsLeft = maxWords
  #bytesLeft = maxVectorBytes

  constructor(locale: string, tokenizers: Pick<Tokenizers, 'tokensOf'>) {
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

  #indexText({ text, field: name }: SearchedText, collected: Collected): void {
    const found = this.#tokenizers.tokensOf(text, this.#locale)
    const field = collected.tokensOf(name, found === undefined ? this.#locale : undefined)
    const tokens = (found ?? []).filter(({ stem }) => stem !== '')
    let next = 0
    // In text order, so that everything before the size limit is found by word and by stem.
    const addTokensBefore = (end: number) => {
      for (let token = tokens[next]; token !== undefined && token.start < end; token = tokens[next]) {
        if (!this.#hasRoom()) return
        this.#addStem(encoded(token.stem), field, collected)
        next += 1
      }
    }
    const compounds = new Compounds(text)
    const words = new WordFinder(text)
    while (this.#hasRoom() && words.next()) {
      const { start, end } = words
      const word = this.#tokensOf(text.slice(start, end), field, collected)
      if (word === null) continue
      this.#addCompound(compounds.next(start, end), field, collected)
      this.#addWord(word, collected)
      const symbol = symbolAt(text, end)
      if (symbol !== '') this.#addOther(encoded(word.text + symbol), field, collected)
      addTokensBefore(end)
    }
    this.#addCompound(compounds.end(), field, collected)
    addTokensBefore(text.length)
    collected.words.push(gapToken)
    collected.fieldWords.push(gapToken)
    this.#wordsLeft -= 1
    this.#use(gapToken)
    this.#bytesLeft -= bytesPerPosition
  }

  #addWord({ word, fieldWord }: WordTokens, collected: Collected): void {
    collected.words.push(word)
    collected.fieldWords.push(fieldWord)
    this.#wordsLeft -= 1
    this.#bytesLeft -= bytesPerPosition
  }

  /** The tokens of a word as written in a text; null if nothing remains after folding. */
  #tokensOf(found: string, field: FieldTokens, collected: Collected): WordTokens | null {
    const known = field.words.get(found)
    if (known !== undefined) return known
    const word = field.readWord(found)
    const tokens = word.text === '' ? null : this.#addNewWord(word, field, collected)
    field.words.set(found, tokens)
    return tokens
  }

  /** Does the work that is needed only once per word and field. */
  #addNewWord(word: IndexedWord, field: FieldTokens, collected: Collected): WordTokens {
    const tokens = {
      text: word.text,
      word: anywhere.word + word.encoded,
      fieldWord: field.prefixes.word + word.encoded,
    }
    if (word.isSpelled) this.spelled.add(word.text)
    this.#use(tokens.fieldWord)
    for (const stem of word.stems) this.#addStem(stem, field, collected)
    for (const other of word.others) this.#addOther(other, field, collected)
    return tokens
  }

  /** A stem is indexed once, without its positions. */
  #addStem(stem: string, { prefixes }: FieldTokens, { stems, fieldStems }: Collected): void {
    const fieldStem = prefixes.stem + stem
    stems.add(anywhere.stem + stem)
    fieldStems.add(fieldStem)
    if (this.#use(fieldStem)) this.#bytesLeft -= bytesPerPosition
  }

  /** Words joined by signs are also indexed as one word, with its stems. */
  #addCompound(compound: Compound | undefined, field: FieldTokens, collected: Collected): void {
    if (compound === undefined || field.compounds.has(compound.joined)) return
    field.compounds.add(compound.joined)
    const word = field.readCompound(compound.joined)
    this.#addOther(word.encoded, field, collected)
    for (const stem of word.stems) this.#addStem(stem, field, collected)
  }

  /** Indexed once, without its positions, like a stem. */
  #addOther(other: string, { prefixes }: FieldTokens, { others, fieldOthers }: Collected): void {
    const fieldOther = prefixes.word + other
    others.add(anywhere.word + other)
    fieldOthers.add(fieldOther)
    if (this.#use(fieldOther)) this.#bytesLeft -= bytesPerPosition
  }

  #hasRoom(): boolean {
    return this.#wordsLeft > 0 && this.#bytesLeft > 0
  }

  /** Returns whether the token is new. */
  #use(token: string): boolean {
    if (this.#tokens.has(token)) return false
    this.#tokens.add(token)
    this.#bytesLeft -= token.length + bytesPerToken
    return true
  }
}
