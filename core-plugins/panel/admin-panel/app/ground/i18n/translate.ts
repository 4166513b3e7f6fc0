import catalogues from 'panel:texts'
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import type en from '../locales/en.json'

type Catalogue = typeof en

/** `shell.signOut` for `{ "shell": { "signOut": … } }`. */
type KeyIn<Messages, Prefix extends string = ''> = {
  [Name in keyof Messages & string]: Messages[Name] extends string
    ? `${Prefix}${Name}`
    : KeyIn<Messages[Name], `${Prefix}${Name}.`>
}[keyof Messages & string]

/** The key of a text, from the English catalogue; other languages may lack some. */
export type TextKey = KeyIn<Catalogue>

/** The values for the placeholders of a text. */
export type TextValues = Readonly<Record<string, string | number | Date>>

/** A text without placeholders, or its parsed parts: the build parses them (`build/catalogues.ts`). */
export type Message = string | MessageFormatElement[]

interface Nested {
  readonly [name: string]: Message | Nested
}

const languages: Readonly<Record<string, Readonly<Record<string, LoadTexts>>>> = catalogues

type LoadTexts = () => Promise<{ readonly default: Nested }>

/** The code of a language with a catalogue, such as `de`. */
export type Language = string

const storageKey = 'mortise.language'

let current: Language = 'en'
let region: string = current
const texts = new Map<string, Message>()
const laterTexts = new Map<string, Promise<void>>()

/** The languages of the panel. */
export const allLanguages = Object.keys(languages)

/** The language of the panel: chosen in this browser, or preferred by it. */
export const language = (): Language => current

/** The language with the user's region, such as `en-GB`: for dates and numbers. */
export const writtenLocale = (): string => region

/** Loads the texts that every page may show; await it before the first render. */
export async function loadTexts(): Promise<void> {
  current = chosenLanguage()
  region = navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === current) ?? current
  document.documentElement.lang = current
  await addTexts('first')
}

/**
 * Wraps a dynamic import whose code needs a part of the texts that is loaded later (`build/catalogues.ts` lists them): both load
 * together.
 */
export function withTexts<Module>(part: string, load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const [module] = await Promise.all([load(), laterPart(part)])
    return module
  }
}

/** Loads a part once; a failed part is requested again the next time. */
function laterPart(part: string): Promise<void> {
  const known = laterTexts.get(part)
  if (known !== undefined) return known
  const loading = addTexts(part).catch((error) => {
    laterTexts.delete(part)
    throw error
  })
  laterTexts.set(part, loading)
  return loading
}

async function addTexts(part: string) {
  const texts = await languages[current]?.[part]?.()
  if (texts === undefined)
    throw new Error(`The catalogue ${current} has no part ${part}: see build/catalogues.ts`)
  addAll(texts.default)
}

function addAll(messages: Nested) {
  for (const [key, message] of entriesOf(messages)) texts.set(key, message)
}

/** Stores the language in this browser and reloads the panel. */
export function chooseLanguage(chosen: Language) {
  localStorage.setItem(storageKey, chosen)
  location.reload()
}

/** Returns a text in the panel's language. */
export const t = translator<TextKey>((key) => texts.get(key))

/** Creates a function that fills in placeholders; a missing text shows its key. */
export function translator<Key extends string>(find: (key: Key) => Message | undefined) {
  const formats = new Map<Key, IntlMessageFormat>()
  return (key: Key, values?: TextValues): string => {
    const message = find(key) ?? key
    if (typeof message === 'string') return message
    const format = formats.get(key) ?? new IntlMessageFormat(message, current)
    formats.set(key, format)
    return String(format.format(values))
  }
}

function chosenLanguage(): Language {
  const candidates = [localStorage.getItem(storageKey) ?? '', ...navigator.languages]
  const known = candidates.map((tag) => tag.slice(0, 2).toLowerCase())
  return allLanguages.find((each) => each === known.find((tag) => tag in languages)) ?? 'en'
}

function* entriesOf(messages: Nested, prefix = ''): Generator<[string, Message]> {
  for (const [name, message] of Object.entries(messages)) {
    if (typeof message === 'string' || Array.isArray(message)) yield [prefix + name, message]
    else yield* entriesOf(message, `${prefix}${name}.`)
  }
}
