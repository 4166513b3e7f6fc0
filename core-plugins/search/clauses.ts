import type { Term } from './terms.ts'
import { fieldStemToken, fieldWordToken, stemToken, wordToken } from './tokens.ts'

/** A term in the tokens of the index: matches documents with one of its phrases. */
export interface Clause {
  readonly isExcluded: boolean
  readonly phrases: readonly Phrase[]
}

/** Tokens that stand one after the other. */
export interface Phrase {
  readonly tokens: readonly string[]
  /** The last token may be the beginning of a longer one. */
  readonly isPrefix: boolean
}

/** What the engines look for. `fields`: only words in these fields (see `SearchedText.field`) count. */
export function clausesOf(terms: readonly Term[], fields?: readonly string[]): Clause[] {
  return terms.map((term) => ({
    isExcluded: term.isExcluded,
    phrases: fields === undefined ? phrasesOf(term) : fields.flatMap((field) => phrasesInField(term, field)),
  }))
}

function phrasesOf({ words, stems, isPrefix }: Term): Phrase[] {
  return [
    { tokens: words.map(wordToken), isPrefix },
    ...stems.map((stem) => ({ tokens: [stemToken(stem)], isPrefix: false })),
  ]
}

function phrasesInField({ words, stems, isPrefix }: Term, field: string): Phrase[] {
  return [
    { tokens: words.map((word) => fieldWordToken(field, word)), isPrefix },
    ...stems.map((stem) => ({ tokens: [fieldStemToken(field, stem)], isPrefix: false })),
  ]
}
