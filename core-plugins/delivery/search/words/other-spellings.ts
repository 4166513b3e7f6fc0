import { foldWord, type Spelling } from './fold.ts'
import { languageOf } from './language.ts'

/** What letters with accents are written as where keyboards do not have them. */
const digraphs: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const hasDigraph = /[äöüåø]/g

const none: readonly string[] = []

/**
 * Under what else a word is found, folded: `mueller` for Müller, `aarhus` for Århus, `c++` for what is written with a `symbol`
 * (see `symbolAt`).
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

/** Languages in which these letters are frequent and never written as two. */
const withoutDigraphs = new Set(['az', 'et', 'fi', 'hu', 'sk', 'sl', 'sv', 'tk', 'tr'])

/** Whether texts in a locale are indexed under digraphs as well. */
export function writesDigraphs(locale: string): boolean {
  return !withoutDigraphs.has(languageOf(locale))
}
