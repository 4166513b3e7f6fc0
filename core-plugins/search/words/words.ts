import { foldWord, isPlain, type Spelling } from './fold.ts'
import { otherSpellings } from './other-spellings.ts'

/** A word of a text, with its position. */
export interface Word extends Spelling {
  readonly start: number
  readonly end: number
  /** Without case and accents, like `text`: `mueller` for Müller, `c++`. */
  readonly others: readonly string[]
}

/*
 * Scripts without spaces between words: each character counts as a word, so that part of a text is found as the sequence of its
 * characters. By their extensions, since what several of them share is of no script alone: the long vowel of コーヒー.
 */
const unspaced =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}]'
const sign = '[\\p{L}\\p{N}\\p{M}]'
const unspacedSign = `[${unspaced}&&${sign}]`
/** What belongs to the character before it: marks, the voice of half-width kana, the vowels and finals of decomposed Hangul. */
const following = '[\\p{M}\\uff9e\\uff9f\\u1160-\\u11ff\\ud7b0-\\ud7ff]'
/** U+02BC is an apostrophe, though Unicode counts it among the letters. */
const letter = `[${sign}--${unspaced}--[\\u02bc]]`
/** An apostrophe inside of a Ukrainian or Belarusian word; in names such as д'Артаньян it stands before other letters. */
const cyrillicApostrophe = "(?<=\\p{sc=Cyrl})['’\\u02bc](?=[яюєїеёі]|[ЯЮЄЇЕЁІ](?!\\p{Ll}))"
/** What is not seen: soft hyphens, joiners and non-joiners, spaces without width. */
const ignorable = '\\p{DI}'
const wordPattern = new RegExp(
  `${unspacedSign}${following}*|${letter}(?:(?:${ignorable}|${cyrillicApostrophe})*${letter})*`,
  'gv',
)

const unspacedLetter = new RegExp(unspacedSign, 'v')

/** Whether a word is of a script without spaces, or holds such letters. */
export function isUnspaced(word: string): boolean {
  return unspacedLetter.test(word)
}

/** The words of a text in order. */
export function* wordsIn(text: string): Generator<Word> {
  for (const match of findWords(text)) {
    const [found] = match
    const start = match.index
    const { text: folded, spelled } = readWord(found)
    if (folded === '') continue
    const end = start + found.length
    const others = otherSpellings({ text: folded, spelled }, symbolAt(text, end))
    // Spreading the word would take longer than all else.
    yield { text: folded, spelled, others, start, end }
  }
}

/** Where words may be, as they stand there: of some, reading leaves nothing. */
export const findWords = (text: string) => text.matchAll(wordPattern)

const unread = /[\p{DI}'’\u02bc]/gu

/** Reads a word as it stands in a text. */
export function readWord(found: string): Spelling {
  const spelled = isPlain(found) ? found : found.replace(unread, '').normalize('NFC').toLowerCase()
  return { text: foldWord(spelled), spelled }
}

const [plus, hash] = [0x2b, 0x23]
const symbols = /(?:\+\+|#)(?!\p{L}|\p{N})/uy

/** What a name such as C++ or C# ends with, behind its last letter; empty for other words. */
export function symbolAt(text: string, end: number): string {
  const code = text.charCodeAt(end)
  if (code !== plus && code !== hash) return ''
  symbols.lastIndex = end
  return symbols.exec(text)?.[0] ?? ''
}
