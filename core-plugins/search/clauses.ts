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
  const places = fields === undefined ? [anywhere] : fields.map(inField)
  return terms.map((term) => ({
    isExcluded: term.isExcluded,
    phrases: places.flatMap((place) => phrasesOf(term, place)),
  }))
}

/** The tokens of words and stems in one place. */
interface Place {
  word(word: string): string
  stem(stem: string): string
}

const anywhere: Place = { word: wordToken, stem: stemToken }

function inField(field: string): Place {
  return { word: (word) => fieldWordToken(field, word), stem: (stem) => fieldStemToken(field, stem) }
}

function phrasesOf({ words, stems, isPrefix, alternatives = [] }: Term, { word, stem }: Place): Phrase[] {
  return [
    { tokens: words.map(word), isPrefix },
    ...stems.map((each) => ({ tokens: [stem(each)], isPrefix: false })),
    ...alternatives.map((each) => ({ tokens: [word(each.text)], isPrefix: each.isPrefix })),
  ]
}
