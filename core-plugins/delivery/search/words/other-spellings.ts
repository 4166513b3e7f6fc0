import { foldWord, type Spelling } from './fold.ts'
import { languageOf } from './language.ts'

/** Replacements of letters with accents on keyboards that lack them. */
const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const hasDigraph = /[äöüåø]/g

const none: readonly string[] = []

/**
 * Other folded forms that match a word: `mueller` for Müller, `aarhus` for Århus, `c++` for a word with a `symbol` (see
 * `symbolAt`).
 */
export function otherSpellings({ text, spelled }: Spelling, symbol = ''): readonly string[] {
  const others: string[] = []
  if (spelled !== text) {
    const spelledOut = spelled.replace(hasDigraph, (letter) => digraphs[letter] ?? letter)
    if (spelledOut !== spelled) others.push(foldWord(spelledOut))
  }
  if (symbol !== '') others.push(text + symbol)
  return others.length === 0 ? none : others
}

/** Languages that use these letters frequently and never write them as digraphs. */
const withoutDigraphs = new Set(['az', 'et', 'fi', 'hu', 'sk', 'sl', 'sv', 'tk', 'tr'])

/** Whether texts in a locale are also indexed with digraphs. */
export function writesDigraphs(locale: string): boolean {
  return !withoutDigraphs.has(languageOf(locale))
}
