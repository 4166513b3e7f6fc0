import { noTokenizers, type Tokenizers } from './tokenizers.ts'
import { Compounds } from './words/compounds.ts'
import { withoutElision } from './words/elision.ts'
import type { Spelling } from './words/fold.ts'
import { stemsOf } from './words/stem.ts'
import { isUnspaced } from './words/word-finder.ts'
import { readWord, symbolAt, type Word, wordsIn } from './words/words.ts'

/** A word or phrase that must occur, or must not. */
export interface Term {
  /** Several words form a phrase. */
  readonly words: readonly string[]
  /** The stems of a single unquoted word, including one that signs divide. */
  readonly stems: readonly string[]
  /** Single words equivalent to the whole term: `email` for e-mail, `mueller` for Müller. */
  readonly others: readonly string[]
  readonly isExcluded: boolean
  /** Whether the last word may be unfinished. */
  readonly isPrefix: boolean
  /** Whether the term is quoted or excluded, and so matched exactly. */
  readonly isLiteral: boolean
  /** Similar words that the user may have meant. */
  readonly alternatives?: readonly Alternative[]
}

/** A word, or the beginning of words. */
export interface Alternative {
  readonly text: string
  readonly isPrefix: boolean
}

/** Which words of a search may be unfinished, besides words with an asterisk: `batt*`. */
export type PrefixMode = (typeof prefixModes)[number]

export const prefixModes = ['last', 'all', 'none'] as const

export interface TermOptions {
  /** The locales in which words are stemmed. */
  readonly locales: readonly string[]
  readonly tokenizers?: Tokenizers
  /** By default the last word, unless a space follows it. */
  readonly prefix?: PrefixMode | undefined
}

/** A part of a search between spaces or quotes. */
interface Piece {
  readonly text: string
  readonly isLast: boolean
  readonly options: Required<TermOptions>
}

/** Parses a search: `whole words "in quotes" -without begin*`. Unquoted words match in any of their forms in the locales. */
export function termsIn(
  text: string,
  { locales, tokenizers = noTokenizers, prefix = 'last' }: TermOptions,
): Term[] {
  const options = { locales, tokenizers, prefix }
  const pieces = [...text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)]
  return pieces.flatMap(([whole, minus, quoted, plain], index) => {
    const isLast = index === pieces.length - 1 && text.endsWith(whole)
    const isExcluded = minus === '-'
    if (plain === undefined) return literalTerms(quoted ?? '', isExcluded)
    if (isExcluded) return literalTerms(plain, isExcluded, isStarred)
    const piece = { text: plain, isLast, options }
    const tokenized = tokenizedTerms(piece)
    return tokenized.length > 0 ? tokenized : plainTerms(piece)
  })
}

/** Consecutive words to be matched exactly. */
function literalTerms(
  text: string,
  isExcluded: boolean,
  mayContinue: (text: string, word: Word) => boolean = () => false,
): Term[] {
  const words = [...wordsIn(text)]
  const [first] = words
  if (first === undefined) return []
  const isPrefix = words.length === 1 && mayContinue(text, first)
  const texts = words.map((word) => word.text)
  return [{ words: texts, stems: [], others: [], isExcluded, isPrefix, isLiteral: true }]
}

function plainTerms({ text, ...rest }: Piece): Term[] {
  const { locales } = rest.options
  const piece = { ...rest, text: withoutElision(text, locales) }
  const words = [...wordsIn(piece.text)]
  const [first] = words
  if (first === undefined) return []
  return words.length > 1 ? [joinedTerm(words, piece)] : [wordTerm(first, piece)]
}

function wordTerm(word: Word, piece: Piece): Term {
  const symbol = symbolAt(piece.text, word.end)
  // `C++` must not match `C`, although texts about it contain that word, too.
  if (symbol !== '') return { ...finished, words: [word.text + symbol], isLiteral: true }
  const stems = stemsOf(word, piece.options.locales)
  const isPrefix = isUnfinished(word, piece, true)
  return { words: [word.text], stems, others: word.others, isExcluded: false, isPrefix, isLiteral: false }
}

const finished = { stems: [], others: [], isExcluded: false, isPrefix: false } as const

/** Words with signs between them match consecutive words, or their joined form. */
function joinedTerm(words: readonly Word[], piece: Piece): Term {
  const last = words.at(-1)
  const isPrefix =
    piece.isLast && last !== undefined && !isUnspaced(last.text) && isUnfinished(last, piece, true)
  const joined = joinedIn(words, piece.text)
  return {
    words: words.map(({ text }) => text),
    stems: joined === undefined ? [] : stemsOf(joined, piece.options.locales),
    others: joined === undefined ? [] : [joined.text],
    ...{ isExcluded: false, isPrefix, isLiteral: true },
  }
}

/** The joined form, if it consists of exactly these words. */
function joinedIn(words: readonly Word[], text: string): Spelling | undefined {
  const compounds = new Compounds(text)
  for (const { start, end } of words) if (compounds.next(start, end) !== undefined) return undefined
  const compound = compounds.end()
  return compound?.start === words[0]?.start && compound !== undefined ? readWord(compound.joined) : undefined
}

function isStarred(text: string, { end }: Pick<Word, 'end'>): boolean {
  return text[end] === '*'
}

/** In characters. Shorter beginnings match too many words to allow several of them in one search. */
const minPrefixLength = 3

function isUnfinished(
  word: Pick<Word, 'text' | 'end'>,
  { text, isLast, options: { prefix } }: Piece,
  isLastOfPiece: boolean,
): boolean {
  if (isStarred(text, word)) return true
  if (prefix === 'all' && !isShort(word.text)) return true
  return prefix !== 'none' && isLast && isLastOfPiece
}

/** In scripts without spaces, each character is a word, so a single one is not short. */
function isShort(word: string): boolean {
  return [...word].length < minPrefixLength && !isUnspaced(word)
}

/** The words that a tokenizer of one of the locales finds in a piece, all of which must occur; empty without a tokenizer. */
function tokenizedTerms(piece: Piece): Term[] {
  const { locales, tokenizers } = piece.options
  const tokens = firstOf(locales, (locale) => tokenizers.tokensOf(piece.text, locale)) ?? []
  return tokens.flatMap((token, index): Term[] => {
    const words = [...wordsIn(token.text)]
    const [first] = words
    if (first === undefined) return []
    const isSingle = words.length === 1
    const stems = new Set(isSingle ? stemsOf(first, locales) : [])
    for (const stem of [token.stem, ...stemsOfToken(token.text, locales, tokenizers)]) {
      if (stem !== '') stems.add(stem)
    }
    const placed = { text: first.text, end: token.start + first.end }
    const isPrefix = isSingle && isUnfinished(placed, piece, index === tokens.length - 1)
    const all = words.map((word) => word.text)
    const others = isSingle ? first.others : []
    return [{ words: all, stems: [...stems], others, isExcluded: false, isPrefix, isLiteral: false }]
  })
}

function firstOf<Item, Result>(
  items: readonly Item[],
  find: (item: Item) => Result | undefined,
): Result | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** The stems in each language whose tokenizer treats the text as one word. */
function stemsOfToken(text: string, locales: readonly string[], tokenizers: Tokenizers): string[] {
  return locales.flatMap((locale) => {
    const [token, ...others] = tokenizers.tokensOf(text, locale) ?? []
    return token === undefined || others.length > 0 ? [] : [token.stem]
  })
}

/** Limits the load on the database; InnoDB refuses phrases of more than 128 words. */
const maxTerms = 32
const maxWords = 100
const maxShortPrefixes = 2

/** The reasons to refuse a search: everything that would put too much load on the database. */
export function problemsOf(terms: readonly Term[]): string[] {
  const problems: string[] = []
  const count = terms.reduce((sum, { words }) => sum + words.length, 0)
  if (terms.length > maxTerms || count > maxWords) {
    problems.push(`takes at most ${maxTerms} words and phrases, with ${maxWords} words in total`)
  }
  const short = terms.filter(({ isPrefix, words }) => isPrefix && isShort(words.at(-1) ?? ''))
  if (short.length > maxShortPrefixes) {
    problems.push(
      `takes at most ${maxShortPrefixes} beginnings of words with fewer than ${minPrefixLength} letters`,
    )
  }
  return problems
}
