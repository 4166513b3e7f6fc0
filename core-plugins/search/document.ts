import type { ContentType } from '../schemas/schemas.ts'
import { type IndexedWord, wordIndexer } from './indexed-word.ts'
import type { SearchedText } from './searched-texts.ts'
import type { Tokenizers } from './tokenizers.ts'
import { anywhere, encoded, gapToken, inField, type TokenPrefixes } from './tokens.ts'
import { type Compound, Compounds } from './words/compounds.ts'
import { findWords, symbolAt } from './words/words.ts'

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
  /** The distinct words under which parts of the texts are found besides, in no order: `email` for e-mail, `mueller` for Müller. */
  readonly others: readonly string[]
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

/** What a document is made of; anything that `structuredClone` can copy. */
export interface DocumentSource
  extends Pick<SearchDocument, 'type' | 'entryId' | 'locale' | 'publishedAt' | 'updatedAt'> {
  readonly texts: readonly SearchedText[]
  /** In whose language the words are stemmed. */
  readonly wordLocale: string
}

/** `entry` includes its system fields; `defaultLocale` is that of entries without one. */
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

/** The tokens of texts, with and without their fields. */
interface Indexed {
  readonly anywhere: IndexedText
  readonly byField: IndexedText
}

/** The words of one field that have occurred, with their tokens. */
interface FieldTokens {
  readonly prefixes: TokenPrefixes
  readonly known: Map<IndexedWord, WordTokens>
}

interface WordTokens {
  readonly word: string
  readonly fieldWord: string
}

/** The tokens of texts while they are collected. */
class Collected {
  readonly words: string[] = []
  readonly fieldWords: string[] = []
  readonly stems = new Set<string>()
  readonly fieldStems = new Set<string>()
  readonly others = new Set<string>()
  readonly fieldOthers = new Set<string>()
  readonly #fields = new Map<string, FieldTokens>()

  tokensOf(field: string): FieldTokens {
    const known = this.#fields.get(field)
    if (known !== undefined) return known
    const made = { prefixes: inField(field), known: new Map() }
    this.#fields.set(field, made)
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

/** Indexes the texts of one entry, as far as there is room. */
class TextIndexer {
  readonly spelled = new Set<string>()
  readonly #locale: string
  readonly #tokenizers: Pick<Tokenizers, 'tokensOf'>
  /** Those of fields, which are most of the largest vector. */
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
    const read = wordIndexer(found === undefined ? this.#locale : undefined)
    const field = collected.tokensOf(name)
    const tokens = (found ?? []).filter(({ stem }) => stem !== '')
    let next = 0
    // In the order of the text, so that where the room ends, what stands before is found in all ways.
    const addTokensBefore = (end: number) => {
      for (let token = tokens[next]; token !== undefined && token.start < end; token = tokens[next]) {
        if (!this.#hasRoom()) return
        this.#addStem(encoded(token.stem), field, collected)
        next += 1
      }
    }
    const compounds = new Compounds(text)
    const addCompound = (compound: Compound | undefined) => {
      if (compound !== undefined) this.#addCompound(read(compound.joined), field, collected)
    }
    for (const match of findWords(text)) {
      if (!this.#hasRoom()) break
      const word = read(match[0])
      if (word.text === '') continue
      const end = match.index + match[0].length
      addCompound(compounds.next(match.index, end))
      this.#addWord(word, field, collected)
      const symbol = symbolAt(text, end)
      if (symbol !== '') this.#addOther(encoded(word.text + symbol), field, collected)
      addTokensBefore(end)
    }
    addCompound(compounds.end())
    addTokensBefore(text.length)
    collected.words.push(gapToken)
    collected.fieldWords.push(gapToken)
    this.#wordsLeft -= 1
    this.#use(gapToken)
    this.#bytesLeft -= bytesPerPosition
  }

  #addWord(word: IndexedWord, field: FieldTokens, collected: Collected): void {
    const tokens = field.known.get(word) ?? this.#addNewWord(word, field, collected)
    collected.words.push(tokens.word)
    collected.fieldWords.push(tokens.fieldWord)
    this.#wordsLeft -= 1
    this.#bytesLeft -= bytesPerPosition
  }

  /** What is not done again for a word that has occurred in the field. */
  #addNewWord(word: IndexedWord, field: FieldTokens, collected: Collected): WordTokens {
    const tokens = {
      word: anywhere.word + word.encoded,
      fieldWord: field.prefixes.word + word.encoded,
    }
    field.known.set(word, tokens)
    if (word.isSpelled) this.spelled.add(word.text)
    this.#use(tokens.fieldWord)
    for (const stem of word.stems) this.#addStem(stem, field, collected)
    for (const other of word.others) this.#addOther(other, field, collected)
    return tokens
  }

  /** All places of a stem count as one. */
  #addStem(stem: string, { prefixes }: FieldTokens, { stems, fieldStems }: Collected): void {
    const fieldStem = prefixes.stem + stem
    stems.add(anywhere.stem + stem)
    fieldStems.add(fieldStem)
    if (this.#use(fieldStem)) this.#bytesLeft -= bytesPerPosition
  }

  /** Several words that are written as one are found as that, in all of its forms. */
  #addCompound(word: IndexedWord, field: FieldTokens, collected: Collected): void {
    this.#addOther(word.encoded, field, collected)
    for (const stem of word.stems) this.#addStem(stem, field, collected)
  }

  /** Where it stands in the text does not count, either. */
  #addOther(other: string, { prefixes }: FieldTokens, { others, fieldOthers }: Collected): void {
    const fieldOther = prefixes.word + other
    others.add(anywhere.word + other)
    fieldOthers.add(fieldOther)
    if (this.#use(fieldOther)) this.#bytesLeft -= bytesPerPosition
  }

  #hasRoom(): boolean {
    return this.#wordsLeft > 0 && this.#bytesLeft > 0
  }

  /** Whether the token is a new one. */
  #use(token: string): boolean {
    if (this.#tokens.has(token)) return false
    this.#tokens.add(token)
    this.#bytesLeft -= token.length + bytesPerToken
    return true
  }
}
