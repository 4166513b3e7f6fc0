import { foldDevanagari, foldHan, foldKana } from './fold-scripts.ts'

/** The spellings of a word. */
export interface Spelling {
  /** Lower case, without accents; empty if nothing remains. */
  readonly text: string
  /** Lower case, with accents. */
  readonly spelled: string
}

/** Longer words are cut, both when stored and when searched. */
const maxWordLength = 64

// Letters that Unicode does not decompose into a letter and its accent, and letters for which keyboards differ between
// languages: Arabic and Persian kaf and yeh.
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
  ک: 'ك',
  ی: 'ي',
  ى: 'ي',
}
const likeLetter = new RegExp(`[${Object.keys(likeLetters).join('')}]`, 'g')

// Accents of Latin, Greek and Cyrillic letters, and the vowel points of Hebrew and Arabic with the stretching sign (tatweel),
// which are often omitted. In other scripts such marks are letters of their own.
const accents = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g

/** Whether folding changes nothing of a word except its length. */
export const isPlain = (word: string) => /^[a-z0-9]*$/.test(word)

const notOfWords = /[^\p{L}\p{N}\p{M}]|\p{DI}/gu

/** Removes case, accents, and other differences that readers ignore. */
export function foldWord(word: string): string {
  if (isPlain(word)) return word.slice(0, maxWordLength)
  const plain = word.normalize('NFKD').toLowerCase().replace(accents, '')
  const alike = plain.replace(likeLetter, (letter) => likeLetters[letter] ?? letter)
  const composed = foldDevanagari(alike).normalize('NFC').replace(notOfWords, '')
  return [...foldHan(foldKana(composed))].slice(0, maxWordLength).join('')
}
