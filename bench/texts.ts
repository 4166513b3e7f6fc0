/** The number of distinct words. */
const vocabularySize = 20_000

/** Pseudo-random numbers that are the same in every run. */
export function createRandom(): () => number {
  let state = 42
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

const syllables = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ha',
  'ke',
  'li',
  'mo',
  'nu',
  'pa',
  're',
  'si',
  'to',
  'vu',
  'wa',
]

/** A different word for each number; frequent words are as long as rare ones. */
export function wordOf(rank: number): string {
  return [0, 4, 8, 12].map((shift) => syllables[((rank + 1) >> shift) & 15]).join('')
}

/** Word frequencies are as in natural languages: the second most frequent word occurs half as often as the first, and so on. */
export function createText(random: () => number): (words: number) => string {
  return (words) =>
    Array.from({ length: words }, () => wordOf(Math.floor(vocabularySize ** random()) - 1)).join(' ')
}
