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

/** The key of a text, as English has it; other languages may lack some. */
export type TextKey = KeyIn<Catalogue>

/** What stands in the holes of a text. */
export type TextValues = Readonly<Record<string, string | number | Date>>

/** A text without holes, or its parts: the build parses them (`build/catalogues.ts`). */
export type Message = string | MessageFormatElement[]

interface Nested {
  readonly [name: string]: Message | Nested
}

const languages: Readonly<Record<string, Readonly<Record<string, LoadTexts>>>> = catalogues

type LoadTexts = () => Promise<{ readonly default: Nested }>

/** A language that has a catalogue: `de`. */
export type Language = string

const storageKey = 'mortise.language'

let current: Language = 'en'
let region: string = current
const texts = new Map<string, Message>()
const laterTexts = new Map<string, Promise<void>>()

/** The languages that the panel speaks. */
export const allLanguages = Object.keys(languages)

/** The language of the panel, as chosen in this browser or preferred by it. */
export const language = (): Language => current

/** That language as it is written where the reader is, `en-GB`: for dates and numbers. */
export const writtenLocale = (): string => region

/** Loads the texts that every page may show; resolves before anything is drawn. */
export async function loadTexts(): Promise<void> {
  current = chosenLanguage()
  region = navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === current) ?? current
  document.documentElement.lang = current
  await addTexts('first')
}

/** For code that says texts of a later part (`build/catalogues.ts` lists them): loads it together with that part. */
export function withTexts<Module>(part: string, load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    const [module] = await Promise.all([load(), laterPart(part)])
    return module
  }
}

/** Loads a part once; one that has failed is asked for again the next time. */
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

/** Keeps the choice in this browser and starts the panel again in it. */
export function chooseLanguage(chosen: Language) {
  localStorage.setItem(storageKey, chosen)
  location.reload()
}

/** A text of the panel in its language. */
export const t = translator<TextKey>((key) => texts.get(key))

/** Fills in texts; one that is missing shows its key. */
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
