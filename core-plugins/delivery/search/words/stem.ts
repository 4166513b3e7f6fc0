import { createRequire } from 'node:module'
import { stemmer as stemEnglish } from 'stemmer'
import { foldWord, type Spelling } from './fold.ts'
import { languageOf } from './language.ts'

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

/** The stems of a word in the languages of the locales; empty for unknown languages. */
export function stemsOf(word: Spelling, locales: readonly string[]): string[] {
  const stems: string[] = []
  for (const locale of locales) {
    const stem = stemmerOf(locale)
    if (stem === undefined) continue
    addStems(stems, word, stem)
    if (languageOf(locale) === 'de') add(stems, stemUmlauts(word.text, stem))
  }
  return stems
}

/** Stems the spellings with and without accents, since accents are often omitted. */
function addStems(stems: string[], { text, spelled }: Spelling, stem: Stemmer): void {
  add(stems, stem(text))
  if (spelled !== text) add(stems, foldWord(stem(spelled)))
}

const germanDigraph = /(?<![aeq])[aou]e/g
const umlauts: Readonly<Record<string, string>> = { ae: 'ä', oe: 'ö', ue: 'ü' }

/** The stem of a German word whose umlauts are written as digraphs: Haus for Haeuser. */
function stemUmlauts(word: string, stem: Stemmer): string {
  const spelled = word.replace(germanDigraph, (digraph) => umlauts[digraph] ?? digraph)
  return spelled === word ? '' : foldWord(stem(spelled))
}

function add(stems: string[], stem: string): void {
  if (stem !== '' && !stems.includes(stem)) stems.push(stem)
}

/** The stemmer for the language of a locale, such as `en` or `en-GB`. */
function stemmerOf(locale: string): Stemmer | undefined {
  const language = languageOf(locale)
  if (!stemmers.has(language)) stemmers.set(language, loadStemmer(language))
  return stemmers.get(language)
}

function loadStemmer(language: string): Stemmer | undefined {
  const module = Object.hasOwn(modules, language) ? modules[language] : undefined
  return module === undefined ? undefined : load(`@orama/stemmers/${module}`).stemmer
}
