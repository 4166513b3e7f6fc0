import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'

/**
 * Words are encoded so that the engines of all databases treat each as a single word: only ASCII letters,
 * digits and underscores, longer than the minimum word length of an engine, and never a stop word. All
 * engines therefore find the same.
 */
const wordPrefix = 'zq'
const stemPrefix = 'zs'

/** The prefix of words and stems that belong to a field; the field's code follows. */
const fieldWordPrefix = 'y'
const fieldStemPrefix = 'x'

/** Separates consecutive texts, so that phrases do not match across them. */
export const gapToken = 'zzz'

/** InnoDB ignores words of more than 84 characters; words of fields have 4 more characters at the beginning. */
const maxTokenLength = 80 - wordPrefix.length

/** The prefixes of the tokens of words and stems. */
export interface TokenPrefixes {
  readonly word: string
  readonly stem: string
}

/** For words in any field. */
export const anywhere: TokenPrefixes = { word: wordPrefix, stem: stemPrefix }

/** For words in one field, such as `blocks.text`. */
export function inField(field: string): TokenPrefixes {
  const code = codeOf(field)
  return { word: fieldWordPrefix + code, stem: fieldStemPrefix + code }
}

const codes = new LRUCache<string, string>(upTo(10_000))

/** Five characters with 60 million values, derived from the name, so that a field has the same code in every type. */
function codeOf(field: string): string {
  const known = codes.get(field)
  if (known !== undefined) return known
  const number = createHash('sha256').update(field).digest().readUIntBE(0, 6)
  const code = (number % 36 ** 5).toString(36).padStart(5, '0')
  codes.set(field, code)
  return code
}

/** Encodes a word or stem for use after a prefix: character by character, so that prefixes of words are prefixes of tokens. */
export function encoded(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word.slice(0, maxTokenLength)
  let token = ''
  for (const character of word) {
    const next = /[a-z0-9]/.test(character)
      ? character
      : `_${(character.codePointAt(0) ?? 0).toString(16).padStart(5, '0')}`
    if (token.length + next.length > maxTokenLength) break
    token += next
  }
  return token
}
