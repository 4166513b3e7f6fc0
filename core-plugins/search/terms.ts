import { stemsOf } from './stem.ts'
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
export function termsIn(text: string, locales: readonly string[]): Term[] {
  const pieces = [...text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)]
  return pieces.flatMap(([piece, minus, quoted, plain], index) => {
    const words = [...wordsIn(quoted ?? plain ?? '')]
    const [first] = words
    if (first === undefined) return []
    const isExcluded = minus === '-'
    const isSingle = quoted === undefined && words.length === 1
    const isLast = index === pieces.length - 1 && text.endsWith(piece)
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

/** More would only keep the database busy; InnoDB refuses phrases of more than 128 words. */
const maxTerms = 32
const maxWords = 100

/** The error for a search with too many terms. */
export function tooManyTerms(terms: readonly Term[]): string | undefined {
  const count = terms.reduce((sum, { words }) => sum + words.length, 0)
  if (terms.length <= maxTerms && count <= maxWords) return undefined
  return `takes at most ${maxTerms} words and phrases, with ${maxWords} words in total`
}
