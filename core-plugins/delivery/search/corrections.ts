import type { Recipient } from '../../foundation/database/database.ts'
import { beginningWithTypos, typosBetween } from './edit-distance.ts'
import type { Alternative, Term } from './terms.ts'
import { isTyped } from './typed-words.ts'
import type { Vocabulary, WordPattern } from './vocabulary.ts'
import { isSpelled, maxSpelledLength } from './words/spelled.ts'
import { stemsOf } from './words/stem.ts'
import { wordsIn } from './words/words.ts'

/** The word lengths from which one typo and two typos are tolerated. */
const lettersForOne = 4
const lettersForTwo = 7

/** The number of words of a search that are corrected; further words are used unchanged. */
const maxCorrected = 8
/** The number of nearest words that replace one word. */
const maxAlternatives = 30

export interface CorrectionRequest {
  readonly terms: readonly Term[]
  /** Names of the types whose vocabulary is searched. */
  readonly types: readonly string[]
  readonly recipient: Recipient | undefined
}

/** Adds alternatives to the terms: similar words from the vocabulary. */
export async function withCorrections(
  { terms, types, recipient }: CorrectionRequest,
  vocabulary: Vocabulary,
): Promise<readonly Term[]> {
  const mistakable = new Set(terms.filter(isMistakable).slice(0, maxCorrected))
  const corrected = await Promise.all(
    terms.map(async (term) => {
      if (!mistakable.has(term)) return term
      const words = await vocabulary.read({ types, ...patternOf(term) }, recipient)
      const alternatives = nearest(term, words)
      return alternatives.length === 0 ? term : { ...term, alternatives }
    }),
  )
  return corrected.every((term, index) => term === terms[index]) ? terms : corrected
}

function isMistakable({ words, isLiteral }: Term): boolean {
  const [word = ''] = words
  return words.length === 1 && !isLiteral && isSpelled(word) && typosIn(word) > 0
}

function typosIn(word: string): number {
  const { length } = [...word]
  if (length < lettersForOne) return 0
  return length < lettersForTwo ? 1 : 2
}

/** The pattern of words that may be similar; the results are then filtered by their distance. */
function patternOf({ words: [word = ''], isPrefix }: Term): Omit<WordPattern, 'types'> {
  const typos = typosIn(word)
  const [initial = '', ...rest] = word
  const length = rest.length + 1
  return {
    initial,
    min: length - typos,
    max: isPrefix ? maxSpelledLength : length + typos,
    parts: intactParts(rest, typos),
    rests: typos > 1 ? restsWithOtherInitial(initial, rest) : [],
  }
}

/**
 * If a word is cut into one part more than there are typos, at least one part is intact. A swap across the border of two parts
 * changes both, so the parts after such swaps are included.
 */
function intactParts(letters: readonly string[], typos: number): string[] {
  const size = Math.floor(letters.length / (typos + 1))
  const borders = Array.from({ length: typos }, (_, index) => (index + 1) * size)
  const cut = (all: readonly string[]) =>
    [0, ...borders].map((start, index) => all.slice(start, borders[index]).join(''))
  const swapped = borders.flatMap((border, index) => {
    const all = [...letters]
    all.splice(border - 1, 2, letters[border] ?? '', letters[border - 1] ?? '')
    return cut(all).slice(index, index + 2)
  })
  return [...cut(letters), ...swapped]
}

/** The rests of words in which only the first letter is wrong: replaced, left out, added or swapped. */
function restsWithOtherInitial(initial: string, rest: readonly string[]): string[] {
  const [, ...others] = rest
  return [rest.join(''), initial + rest.join(''), others.join(''), initial + others.join('')]
}

function nearest({ words: [word = ''], isPrefix }: Term, found: readonly string[]): Alternative[] {
  const typos = typosIn(word)
  const letters = [...word]
  const candidates = found.flatMap((each) => {
    if (each === word || (isPrefix && each.startsWith(word))) return []
    const others = [...each]
    const distance = typosBetween(letters, others)
    if (distance <= typos) return [{ text: each, isPrefix: false, distance }]
    const beginning = isPrefix ? beginningWithTypos(letters, others, typos) : undefined
    if (beginning === undefined) return []
    return [{ text: others.slice(0, beginning).join(''), isPrefix: true, distance: typos }]
  })
  const distinct = new Map(candidates.map((each) => [`${each.isPrefix} ${each.text}`, each]))
  return [...distinct.values()]
    .sort((one, other) => one.distance - other.distance || (one.text < other.text ? -1 : 1))
    .slice(0, maxAlternatives)
    .map(({ text, isPrefix: isBeginning }) => ({ text, isPrefix: isBeginning }))
}

/** Whether a word of a text matches an alternative of a term. */
export function isCorrected(word: string, { alternatives = [] }: Term): boolean {
  return alternatives.some(({ text, isPrefix }) => (isPrefix ? word.startsWith(text) : word === text))
}

/** The limit of a text, in characters. */
const readCharacters = 10_000
const maxShown = 3

/**
 * Maps the words of a search to the words found in the texts instead. Only words of shown entries are included, so that
 * callers do not learn which other words exist.
 */
export function correctionsIn(
  texts: readonly string[],
  terms: readonly Term[],
  locale: string,
): Record<string, string[]> {
  const open = new Map(
    terms.filter(({ alternatives }) => alternatives !== undefined).map((term) => [term, new Set<string>()]),
  )
  for (const text of texts) {
    if (open.size === 0) break
    for (const word of wordsIn(text.slice(0, readCharacters))) {
      const form = { ...word, stems: stemsOf(word, [locale]) }
      for (const [term, found] of open) {
        if (isTyped(form, term)) open.delete(term)
        else if (isCorrected(word.text, term)) found.add(word.text)
      }
    }
  }
  return Object.fromEntries(
    [...open].flatMap(
      ([
        {
          words: [typed = ''],
        },
        found,
      ]) => (found.size === 0 ? [] : [[typed, [...found].slice(0, maxShown)]]),
    ),
  )
}
