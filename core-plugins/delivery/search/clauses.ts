import type { Term } from './terms.ts'
import { anywhere, encoded, inField, type TokenPrefixes } from './tokens.ts'

/** A search term as tokens of the index; matches documents that contain one of its phrases. */
export interface Clause {
  readonly isExcluded: boolean
  readonly phrases: readonly Phrase[]
}

/** Consecutive tokens. */
export interface Phrase {
  readonly tokens: readonly string[]
  /** Whether the last token may be the beginning of a longer one. */
  readonly isPrefix: boolean
}

/** The clauses that the engines search for. With `fields`, only words in these fields (see `SearchedText.field`) count. */
export function clausesOf(terms: readonly Term[], fields?: readonly string[]): Clause[] {
  const places = fields === undefined ? [anywhere] : fields.map(inField)
  return terms.map((term) => ({
    isExcluded: term.isExcluded,
    phrases: withinPattern(places.flatMap((place) => phrasesOf(term, place))),
  }))
}

/**
 * The total length of the phrases of an unfinished term, in characters. InnoDB checks them with a pattern, whose length
 * databases limit.
 */
const maxPatternLength = 10_000

/** Phrases that would exceed the limit, since they are in very many fields, count as finished; the same for all databases. */
function withinPattern(phrases: readonly Phrase[]): readonly Phrase[] {
  const isUnfinished = phrases.some(({ tokens, isPrefix }) => isPrefix && tokens.length > 1)
  if (!isUnfinished) return phrases
  const length = phrases.reduce((sum, { tokens }) => sum + tokens.join(' ').length, 0)
  if (length <= maxPatternLength) return phrases
  return phrases.map((phrase) => (phrase.tokens.length > 1 ? { ...phrase, isPrefix: false } : phrase))
}

function phrasesOf(
  { words, stems, others, isPrefix, alternatives = [] }: Term,
  prefixes: TokenPrefixes,
): Phrase[] {
  const word = (text: string) => prefixes.word + encoded(text)
  return [
    { tokens: words.map(word), isPrefix },
    ...others.map((other) => ({ tokens: [word(other)], isPrefix })),
    ...stems.map((stem) => ({ tokens: [prefixes.stem + encoded(stem)], isPrefix: false })),
    ...alternatives.map(({ text, isPrefix }) => ({ tokens: [word(text)], isPrefix })),
  ]
}
