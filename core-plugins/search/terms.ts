import { stemsOf } from './stem.ts'
import { noTokenizers, type Tokenizers } from './tokenizers.ts'
import { wordsIn } from './words.ts'

/** A word or phrase that must occur, or must not. */
export interface Term {
  /** More than one: a phrase. */
  readonly words: readonly string[]
  /** For a single unquoted word: its stems. */
  readonly stems: readonly string[]
  readonly isExcluded: boolean
  /** The start of a word is enough. */
  readonly isPrefix: boolean
}

/**
 * Parses a search: `whole words "in quotes" -without`; unquoted words match in any form they have in these
 * locales.
 */
export function termsIn(
  text: string,
  locales: readonly string[],
  tokenizers: Tokenizers = noTokenizers,
): Term[] {
  const pieces = [...text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)]
  return pieces.flatMap(([piece, minus, quoted, plain], index) => {
    const words = [...wordsIn(quoted ?? plain ?? '')]
    const [first] = words
    if (first === undefined) return []
    const isExcluded = minus === '-'
    const isSingle = quoted === undefined && words.length === 1
    const isLast = index === pieces.length - 1 && text.endsWith(piece)
    if (plain !== undefined && !isExcluded) {
      const tokenized = tokenizedTerms(plain, { locales, tokenizers, isLast })
      if (tokenized.length > 0) return tokenized
    }
    return [
      {
        words: words.map((word) => word.text),
        stems: isSingle && !isExcluded ? stemsOf(first, locales) : [],
        isExcluded,
        isPrefix: isSingle && isLast && !isExcluded,
      },
    ]
  })
}

/** The words that a tokenizer of one of the locales finds in a piece, all of which must occur; none without one. */
function tokenizedTerms(
  text: string,
  {
    locales,
    tokenizers,
    isLast,
  }: { readonly locales: readonly string[]; readonly tokenizers: Tokenizers; readonly isLast: boolean },
): Term[] {
  const tokens = firstOf(locales, (locale) => tokenizers.tokensOf(text, locale)) ?? []
  return tokens.flatMap((token, index): Term[] => {
    const words = [...wordsIn(token.text)]
    const [first] = words
    if (first === undefined) return []
    const isSingle = words.length === 1
    const stems = new Set(isSingle ? stemsOf(first, locales) : [])
    for (const stem of [token.stem, ...stemsOfToken(token.text, locales, tokenizers)]) {
      if (stem !== '') stems.add(stem)
    }
    const isPrefix = isSingle && isLast && index === tokens.length - 1
    return [{ words: words.map((word) => word.text), stems: [...stems], isExcluded: false, isPrefix }]
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

/** In each language that takes it for one word. */
function stemsOfToken(text: string, locales: readonly string[], tokenizers: Tokenizers): string[] {
  return locales.flatMap((locale) => {
    const [token, ...others] = tokenizers.tokensOf(text, locale) ?? []
    return token === undefined || others.length > 0 ? [] : [token.stem]
  })
}

/** More would only keep the database busy; InnoDB refuses phrases of more than 128 words. */
const maxTerms = 32
const maxWords = 100

/** The error for a search with too many terms. */
export function tooManyTerms(terms: readonly Term[]): string | undefined {
  const count = terms.reduce((sum, { words }) => sum + words.length, 0)
  if (terms.length <= maxTerms && count <= maxWords) return undefined
  return `takes at most ${maxTerms} words and phrases, with ${maxWords} words in total`
}
