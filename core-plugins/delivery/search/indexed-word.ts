import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import { encoded } from './tokens.ts'
import { otherSpellings, writesDigraphs } from './words/other-spellings.ts'
import { isSpelled } from './words/spelled.ts'
import { stemsOf } from './words/stem.ts'
import { readWord } from './words/words.ts'

/** A word with everything that the index stores for it. */
export interface IndexedWord {
  /** Folded; empty if nothing remains. */
  readonly text: string
  /** Encoded as in `tokens.ts`, without a prefix, like the stems. */
  readonly encoded: string
  readonly stems: readonly string[]
  /** Other forms that match the word (see `otherSpellings`). */
  readonly others: readonly string[]
  readonly isSpelled: boolean
}

/** Most words of a text are among the most frequent of its language. Takes a few MB per language in use. */
const keptWords = 10_000
/** Longer words rarely repeat. In characters. */
const maxKeptLength = 40

const languages = new Map<string, LRUCache<string, IndexedWord>>()

/**
 * Processes words as written in texts, with a cache. Without `locale`, words get no stems. Compounds have a cache of their
 * own, by their joined form: most are rare and would evict frequent words.
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
