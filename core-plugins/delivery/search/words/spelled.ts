import { isUnspaced } from './word-finder.ts'

/** What the words in a document may be that somebody mistypes. In letters; there is hardly a longer one, and none that has to be. */
const minSpelledLength = 3
export const maxSpelledLength = 32
const plainWord = /^[a-z]{3,32}$/
const letters = /^\p{L}[\p{L}\p{M}]*$/u

/** Whether typing errors are looked for: not in numbers, and not in scripts without spaces. */
export function isSpelled(word: string): boolean {
  if (plainWord.test(word)) return true
  if (!letters.test(word) || isUnspaced(word)) return false
  const { length } = [...word]
  return length >= minSpelledLength && length <= maxSpelledLength
}
