import { stemEnglish } from './english-stem.ts'

type Stemmer = (word: string) => string

/** By the language of a locale. Words of other languages are searched as they are. */
const stemmers: Readonly<Record<string, Stemmer>> = { en: stemEnglish }

/** Undefined where nothing is known of the language of `locale` (`en`, `en-GB`). */
export function stemmerOf(locale: string): Stemmer | undefined {
  const language = locale.toLowerCase().split(/[-_]/)[0] ?? ''
  return Object.hasOwn(stemmers, language) ? stemmers[language] : undefined
}

/** All stems that a word may have in a text of this locale, or of any. */
export function stemsOf(word: string, locale: string | undefined): string[] {
  const used = locale === undefined ? Object.values(stemmers) : [stemmerOf(locale)]
  return used.flatMap((stemmer) => (stemmer === undefined ? [] : [stemmer(word)]))
}
