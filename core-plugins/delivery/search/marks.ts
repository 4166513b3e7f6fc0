import { isCorrected } from './corrections.ts'
import type { Term } from './terms.ts'
import { isTyped } from './typed-words.ts'
import { Compounds } from './words/compounds.ts'
import type { Spelling } from './words/fold.ts'
import { stemsOf } from './words/stem.ts'
import { readWord, type Word, wordsIn } from './words/words.ts'

/** The start and end of a highlighted range. */
export interface Mark {
  readonly start: number
  readonly end: number
}

export interface MarkOptions {
  /** The locales of the built-in stemmers that apply. */
  readonly locales: readonly string[]
  /** How many characters after the first mark are searched for others. */
  readonly span: number
}

/** The positions of the terms in a text, in no order. */
export function marksIn(text: string, wanted: readonly Term[], { locales, span }: MarkOptions): Mark[] {
  const isWanted = wordTester(wanted, locales)
  const phrases = wanted.filter(({ words }) => words.length > 1)
  const longest = Math.max(0, ...phrases.map(({ words }) => words.length))
  const marks: Mark[] = []
  /** The last words, up to the length of the longest phrase. */
  const recent: Word[] = []
  const compounds = new Compounds(text)
  const markCompound = (compound: ReturnType<typeof compounds.end>) => {
    if (compound !== undefined && isWanted({ ...readWord(compound.joined), others: [] })) marks.push(compound)
  }
  let previousEnd = -1
  for (const word of wordsIn(text)) {
    markCompound(compounds.next(word.start, word.end))
    const [first] = marks
    if (first !== undefined && word.start > first.start + span) return marks
    if (isWanted(word)) marks.push(word)
    if (longest === 0) continue
    recent.push(word)
    if (recent.length > longest) recent.shift()
    for (const phrase of phrases) {
      const found = recent.slice(-phrase.words.length)
      if (!isPhrase(found, phrase)) continue
      const start = Math.max(found[0]?.start ?? word.start, previousEnd)
      if (start < word.end) marks.push({ start, end: word.end })
      previousEnd = word.end
    }
  }
  markCompound(compounds.end())
  return marks
}

type SingleWord = Spelling & Pick<Word, 'others'>

/** Whether a single word matches one of the terms; cached, since most words of a text occur often. */
function wordTester(wanted: readonly Term[], locales: readonly string[]): (word: SingleWord) => boolean {
  const known = new Map<string, boolean>()
  const hasStems = wanted.some(({ stems }) => stems.length > 0)
  return (word) => {
    // A word with a symbol (`C++`) differs from the same word without it.
    const key = word.spelled + (word.others.at(-1) ?? '')
    const tested = known.get(key)
    if (tested !== undefined) return tested
    const form = { ...word, stems: hasStems ? stemsOf(word, locales) : [] }
    const isWanted = wanted.some((term) => isTyped(form, term) || isCorrected(word.text, term))
    known.set(key, isWanted)
    return isWanted
  }
}

function isPhrase(found: readonly Word[], { words, isPrefix }: Term): boolean {
  if (found.length < words.length) return false
  const last = words.length - 1
  const stands = (text: string, wanted: string, index: number) =>
    isPrefix && index === last ? text.startsWith(wanted) : text === wanted
  return words.every((wanted, index) => stands(found[index]?.text ?? '', wanted, index))
}
