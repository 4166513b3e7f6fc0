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

/** Before words and stems that count for one field only; the field's code follows. */
const fieldWordPrefix = 'y'
const fieldStemPrefix = 'x'

/** Separates consecutive texts, so that no phrase matches across them. */
export const gapToken = 'zzz'

/** InnoDB ignores words of more than 84 characters; those of fields have 4 characters more in front. */
const maxTokenLength = 80 - wordPrefix.length

/** What the tokens of words and stems begin with. */
export interface TokenPrefixes {
  readonly word: string
  readonly stem: string
}

/** Of words wherever they stand. */
export const anywhere: TokenPrefixes = { word: wordPrefix, stem: stemPrefix }

/** Of words in a field, such as `blocks.text`. */
export function inField(field: string): TokenPrefixes {
  const code = codeOf(field)
  return { word: fieldWordPrefix + code, stem: fieldStemPrefix + code }
}

const codes = new LRUCache<string, string>(upTo(10_000))

/** Five characters of 60 million; derived from the name, so that a field has the same code in every type. */
function codeOf(field: string): string {
  const known = codes.get(field)
  if (known !== undefined) return known
  const number = createHash('sha256').update(field).digest().readUIntBE(0, 6)
  const code = (number % 36 ** 5).toString(36).padStart(5, '0')
  codes.set(field, code)
  return code
}

/** A word or stem as it stands behind a prefix: character by character, so that its start is the start of its token. */
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
