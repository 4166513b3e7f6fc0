import { TookTooLong, withinTime } from './time-limit.ts'
import type { SearchToken, SearchTokenizer } from './tokenizer.ts'
import { foldWord } from './words/fold.ts'
import { languageOf } from './words/language.ts'

/** A word that a tokenizer found. */
export interface FoundToken {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Folded; empty if nothing remains. */
  readonly stem: string
}

/** Calls the tokenizers of plugins. */
export interface Tokenizers {
  /** The words of a text in a locale; undefined if no tokenizer supports it, or if it has failed or is paused. */
  tokensOf(text: string, locale: string): readonly FoundToken[] | undefined
  /** Whether a tokenizer supports the locale. */
  has(locale: string): boolean
  /** Part of the fingerprint of documents; empty without tokenizers. */
  readonly versions: readonly unknown[]
}

/** For languages with spaces between words. */
export const noTokenizers: Tokenizers = { tokensOf: () => undefined, has: () => false, versions: [] }

const maxTokens = 16_000
/** In characters. Longer texts have more words than are indexed. */
const maxTextLength = 200_000
/** The limit per text, since the write of an entry, and everything else in this process, waits for it. */
const limitMs = 200
/** How long a tokenizer is paused after it exceeded the limit, since an entry may have hundreds of texts. */
const restMs = 30_000

/** `contributed` is called when needed, since plugins contribute until the start. */
export function createTokenizers(contributed: () => readonly SearchTokenizer[]): Tokenizers {
  const byLocale = new Map<string, SearchTokenizer | undefined>()
  const restsUntil = new Map<SearchTokenizer, number>()

  function tokenizerOf(locale: string): SearchTokenizer | undefined {
    if (byLocale.has(locale)) return byLocale.get(locale)
    const language = languageOf(locale)
    const found = contributed().find(({ locales }) =>
      locales.some((each) => [language, locale.toLowerCase()].includes(each.toLowerCase())),
    )
    byLocale.set(locale, found)
    return found
  }

  return {
    tokensOf(text, locale) {
      const tokenizer = tokenizerOf(locale)
      if (tokenizer === undefined || performance.now() < (restsUntil.get(tokenizer) ?? 0)) return undefined
      const cut = text.slice(0, maxTextLength)
      try {
        // Folding happens outside the time limit: at its first use it loads tables, and an aborted load could not be repeated.
        const tokens = withinTime(limitMs, () => checked(tokenizer, cut, tokenizer.tokenize(cut)))
        return tokens.map((token) => ({ ...token, stem: foldWord(token.stem) }))
      } catch (error) {
        if (error instanceof TookTooLong) restsUntil.set(tokenizer, performance.now() + restMs)
        tokenizer.report?.(error)
        return undefined
      }
    },
    has: (locale) => tokenizerOf(locale) !== undefined,
    get versions() {
      return contributed().map(({ name, locales, version }) => [name, locales, version])
    },
  }
}

/** The limits of characters tokenized for highlights, per text and per response. */
const maxHighlighted = { ofText: 10_000, ofAnswer: 100_000 }

/** The tokenizers for the highlights of one response, with limits, since highlights are worth less time than the search. */
export function tokensOfHighlights(tokenizers: Tokenizers): Tokenizers['tokensOf'] {
  let left = maxHighlighted.ofAnswer
  return (text, locale) => {
    const part = text.slice(0, Math.min(left, maxHighlighted.ofText))
    const tokens = part === '' ? undefined : tokenizers.tokensOf(part, locale)
    if (tokens === undefined) return undefined
    left -= part.length
    // The last word may have been cut off.
    return part.length < text.length ? tokens.filter(({ end }) => end < part.length) : tokens
  }
}

/** Checks a result; stems stay unchanged. @throws Error if it is not a list of words of the text in order */
function checked({ name }: SearchTokenizer, text: string, tokens: unknown): FoundToken[] {
  if (!Array.isArray(tokens)) throw new Error(`the tokenizer ${name} answers ${typeof tokens}, not a list`)
  let end = 0
  return tokens.slice(0, maxTokens).map((token: SearchToken | null) => {
    const isPlace = Number.isInteger(token?.start) && Number.isInteger(token?.end)
    if (!token || !isPlace || token.start < end || token.end <= token.start || token.end > text.length) {
      throw new Error(`the tokenizer ${name} answers what is no word of the text after ${end}`)
    }
    end = token.end
    const { start } = token
    const word = text.slice(start, end)
    const { stem = word } = token
    if (typeof stem !== 'string') throw new Error(`the tokenizer ${name} answers a stem that is no text`)
    return { start, end, text: word, stem: stem.slice(0, maxStemLength) }
  })
}

const maxStemLength = 256
