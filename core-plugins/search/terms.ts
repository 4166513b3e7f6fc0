import { stemsOf } from './stem.ts'
import { wordsIn } from './words.ts'

/** A word, or words that follow one another, which must occur or must not. */
export interface Term {
  /** More than one: a phrase. */
  readonly words: readonly string[]
  /** Of a single word that was not quoted: what its other forms have in common. */
  readonly stems: readonly string[]
  readonly isExcluded: boolean
  /** The beginning of a word will do. */
  readonly isPrefix: boolean
}

/** What is searched, from most to least: `whole words "in quotes" -without`. */
export function termsIn(text: string, locale: string | undefined): Term[] {
  const pieces = [...text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)]
  return pieces.flatMap(([piece, minus, quoted, plain], index) => {
    const words = [...wordsIn(quoted ?? plain ?? '')].map((word) => word.text)
    if (words.length === 0) return []
    const isExcluded = minus === '-'
    const isSingle = quoted === undefined && words.length === 1
    const isLast = index === pieces.length - 1 && text.endsWith(piece)
    return [
      {
        words,
        stems: isSingle && !isExcluded ? stemsOf(words[0] ?? '', locale) : [],
        isExcluded,
        isPrefix: isSingle && isLast && !isExcluded,
      },
    ]
  })
}
