import { languageOf } from './language.ts'

const apostrophe = "['’\\u02bc]"

/** By language, words that lose their vowel before another word and are joined with it. */
const elided: Readonly<Record<string, string>> = {
  ca: `(?:[dlmnst])${apostrophe}`,
  fr: `(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|quelqu)${apostrophe}`,
  ga: `(?:[bdm]${apostrophe}|[hnt]-)`,
  it: `(?:[cdlmnstv]|un|gl|agl|dagl|degl|negl|sugl|all|dall|dell|nell|sull|coll|pell|quell|quest|bell|sant)${apostrophe}`,
  oc: `(?:[cdlmnst]|qu)${apostrophe}`,
}

const patterns = new Map(
  Object.entries(elided).map(([language, pattern]) => [language, new RegExp(`^${pattern}(?=\\p{L})`, 'iu')]),
)

/** A word without an elided word before it, in the language of one of the locales: `hôtel` for `l'hôtel`. */
export function withoutElision(word: string, locales: readonly string[]): string {
  for (const locale of locales) {
    const found = patterns.get(languageOf(locale))?.exec(word)
    if (found) return word.slice(found[0].length)
  }
  return word
}
