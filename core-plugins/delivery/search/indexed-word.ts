import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import { encoded } from './tokens.ts'
import { otherSpellings, writesDigraphs } from './words/other-spellings.ts'
import { isSpelled } from './words/spelled.ts'
import { stemsOf } from './words/stem.ts'
import { readWord } from './words/words.ts'

/** A word with all that the index stores of it. */
export interface IndexedWord {
  /** Folded; empty if nothing is left of it. */
  readonly text: string
  /** As in `tokens.ts`, without a prefix, like the stems. */
  readonly encoded: string
  readonly stems: readonly string[]
  /** Under what else it is found (see `otherSpellings`). */
  readonly others: readonly string[]
  readonly isSpelled: boolean
}

/** Most words of a text are among the most frequent of its language. A few MB for each language that is written in. */
const keptWords = 10_000
/** Hardly a longer one comes again. In characters. */
const maxKeptLength = 40

const languages = new Map<string, LRUCache<string, IndexedWord>>()

/**
 * Works words out as they stand in texts; `locale` undefined: without stems. Compounds are kept apart, joined: as most of them are rare,
 * they would push out words that occur in every text.
 */
export function wordIndexer(
  locale: string | undefined,
  of: 'words' | 'compounds' = 'words',
): (found: string) => IndexedWord {
  const locales = locale === undefined ? [] : [locale]
  const key = `${of} ${locale ?? ''}`
  const kept = languages.get(key) ?? new LRUCache<string, IndexedWord>(upTo(keptWords))
  languages.set(key, kept)
  return (found) => {
    const known = kept.get(found)
    if (known !== undefined) return known
    const word = indexed(found, locales)
    if (found.length <= maxKeptLength) kept.set(found, word)
    return word
  }
}

function indexed(found: string, locales: readonly string[]): IndexedWord {
  const word = readWord(found)
  const { text } = word
  if (text === '') return { text, encoded: '', stems: [], others: [], isSpelled: false }
  return {
    text,
    encoded: encoded(text),
    stems: stemsOf(word, locales).map(encoded),
    others: locales.some(writesDigraphs) ? otherSpellings(word).map(encoded) : [],
    isSpelled: isSpelled(text),
  }
}
