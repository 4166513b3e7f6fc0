import type { SearchToken, SearchTokenizer } from './tokenizer.ts'
import { foldWord } from './words.ts'

/** A word that a tokenizer has found. */
export interface FoundToken {
  readonly text: string
  /** Folded; empty if nothing is left of it. */
  readonly stem: string
}

/** Asks the tokenizers of plugins. */
export interface Tokenizers {
  /** The words of a text in a locale; undefined if no tokenizer is for it, or it has failed. */
  tokensOf(text: string, locale: string): readonly FoundToken[] | undefined
  /** What documents depend on; empty without tokenizers. */
  readonly versions: readonly unknown[]
}

/** For languages that are written with spaces. */
export const noTokenizers: Tokenizers = { tokensOf: () => undefined, versions: [] }

const maxTokens = 16_000
/** Longer texts have more words than are searched. In characters. */
const maxTextLength = 200_000

/** `contributed` is asked when it is needed, as plugins contribute until the start. */
export function createTokenizers(contributed: () => readonly SearchTokenizer[]): Tokenizers {
  const byLocale = new Map<string, SearchTokenizer | undefined>()

  function tokenizerOf(locale: string): SearchTokenizer | undefined {
    if (byLocale.has(locale)) return byLocale.get(locale)
    const [language = ''] = locale.toLowerCase().split(/[-_]/, 1)
    const found = contributed().find(({ locales }) =>
      locales.some((each) => [language, locale.toLowerCase()].includes(each.toLowerCase())),
    )
    byLocale.set(locale, found)
    return found
  }

  return {
    tokensOf(text, locale) {
      const tokenizer = tokenizerOf(locale)
      if (tokenizer === undefined) return undefined
      const cut = text.slice(0, maxTextLength)
      try {
        return checked(tokenizer, cut, tokenizer.tokenize(cut))
      } catch (error) {
        tokenizer.report?.(error)
        return undefined
      }
    },
    get versions() {
      return contributed().map(({ name, locales, version }) => [name, locales, version])
    },
  }
}

/** @throws Error for what are no words of the text, in order */
function checked({ name }: SearchTokenizer, text: string, tokens: unknown): FoundToken[] {
  if (!Array.isArray(tokens)) throw new Error(`the tokenizer ${name} answers ${typeof tokens}, not a list`)
  let end = 0
  return tokens.slice(0, maxTokens).map((token: SearchToken | null) => {
    const isPlace = Number.isInteger(token?.start) && Number.isInteger(token?.end)
    if (!token || !isPlace || token.start < end || token.end <= token.start || token.end > text.length) {
      throw new Error(`the tokenizer ${name} answers what is no word of the text after ${end}`)
    }
    end = token.end
    const word = text.slice(token.start, token.end)
    const { stem = word } = token
    if (typeof stem !== 'string') throw new Error(`the tokenizer ${name} answers a stem that is no text`)
    return { text: word, stem: foldWord(stem.slice(0, maxStemLength)) }
  })
}

const maxStemLength = 256
