/** How a word is written. */
export interface Spelling {
  /** Lower case, without accents; empty if nothing is left of it. */
  readonly text: string
  /** Lower case, with accents. */
  readonly spelled: string
}

/** A word of a text, with its position. */
export interface Word extends Spelling {
  readonly start: number
  readonly end: number
}

// Scripts without spaces between words: each character counts as a word, so that part of a text is found as
// the sequence of its characters.
const unspaced =
  '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}'
const wordPattern = new RegExp(`[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')

const unspacedLetter = new RegExp(`[${unspaced}]`, 'u')

/** Whether a word is of a script without spaces, or holds such letters. */
export function isUnspaced(word: string): boolean {
  return unspacedLetter.test(word)
}

/** Longer words are cut, both when stored and when searched. */
const maxWordLength = 64

/** The words of a text in order. */
export function* wordsIn(text: string): Generator<Word> {
  for (const match of findWords(text)) {
    const [found] = match
    const word = readWord(found)
    if (word.text !== '') yield { ...word, start: match.index, end: match.index + found.length }
  }
}

/** Where words may be, as they stand there: of some, reading leaves nothing. */
export const findWords = (text: string) => text.matchAll(wordPattern)

/** Reads a word as it stands in a text. */
export function readWord(found: string): Spelling {
  const spelled = isPlain(found) ? found : found.normalize('NFC').toLowerCase()
  return { text: foldWord(spelled), spelled }
}

// Letters that Unicode does not decompose into a letter and its accent.
const likeLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
const likeLetter = new RegExp(`[${Object.keys(likeLetters).join('')}]`, 'g')

// Accents of Latin, Greek and Cyrillic letters, and the vowel points of Hebrew and Arabic, which are often
// omitted. In other scripts such marks are letters of their own.
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g

const isPlain = (word: string) => /^[a-z0-9]*$/.test(word)

/** Removes case and accents. */
export function foldWord(word: string): string {
  if (isPlain(word)) return word.slice(0, maxWordLength)
  const plain = word.normalize('NFKD').toLowerCase().replace(accents, '')
  const folded = plain.replace(likeLetter, (letter) => likeLetters[letter] ?? letter)
  return [...folded.normalize('NFC').replace(/[^\p{L}\p{N}\p{M}]/gu, '')].slice(0, maxWordLength).join('')
}
