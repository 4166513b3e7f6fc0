import { isUnspaced } from './word-finder.ts'

/** The lengths, in letters, of words for which typos are tolerated; longer words hardly exist. */
const minSpelledLength = 3
export const maxSpelledLength = 32
const plainWord = /^[a-z]{3,32}$/
const letters = /^\p{L}[\p{L}\p{M}]*$/u

/** Whether typos in a word are tolerated: not in numbers, and not in scripts without spaces. */
export function isSpelled(word: string): boolean {
  if (plainWord.test(word)) return true
  if (!letters.test(word) || isUnspaced(word)) return false
  const { length } = [...word]
  return length >= minSpelledLength && length <= maxSpelledLength
}
