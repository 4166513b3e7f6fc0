import { createRequire } from 'node:module'
import { stemmer as stemEnglish } from 'stemmer'
import { foldWord, type Spelling } from './words.ts'

type Stemmer = (word: string) => string

/**
 * Modules of `@orama/stemmers` by language; each is loaded when a text or query in its language first occurs.
 */
const modules: Readonly<Record<string, string>> = {
  ar: 'arabic',
  bg: 'bulgarian',
  da: 'danish',
  de: 'german',
  el: 'greek',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'indian',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  uk: 'ukrainian',
}

const load = createRequire(import.meta.url)
const stemmers = new Map<string, Stemmer | undefined>([['en', stemEnglish]])

/** The stems of a word in the languages of these locales; none for unknown languages. */
export function stemsOf(word: Spelling, locales: readonly string[]): string[] {
  const stems: string[] = []
  for (const locale of locales) {
    const stem = stemmerOf(locale)
    if (stem !== undefined) addStems(stems, word, stem)
  }
  return stems
}

/** Stems both spellings, with accents and without, because accents are often omitted. */
function addStems(stems: string[], { text, spelled }: Spelling, stem: Stemmer): void {
  add(stems, stem(text))
  if (spelled !== text) add(stems, foldWord(stem(spelled)))
}

function add(stems: string[], stem: string): void {
  if (stem !== '' && !stems.includes(stem)) stems.push(stem)
}

/** The stemmer for the language of a locale: `en`, `en-GB`. */
function stemmerOf(locale: string): Stemmer | undefined {
  const [language = ''] = locale.toLowerCase().split(/[-_]/, 1)
  if (!stemmers.has(language)) stemmers.set(language, loadStemmer(language))
  return stemmers.get(language)
}

function loadStemmer(language: string): Stemmer | undefined {
  const module = Object.hasOwn(modules, language) ? modules[language] : undefined
  return module === undefined ? undefined : load(`@orama/stemmers/${module}`).stemmer
}
