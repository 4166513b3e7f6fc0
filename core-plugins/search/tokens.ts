/**
 * Words are encoded so that the engines of all databases treat each as a single word: only ASCII letters,
 * digits and underscores, longer than the minimum word length of an engine, and never a stop word. All
 * engines therefore find the same.
 */
const wordPrefix = 'zq'
const stemPrefix = 'zs'

/** Separates consecutive texts, so that no phrase matches across them. */
export const gapToken = 'zzz'

/** InnoDB ignores words of more than 84 characters. */
const maxTokenLength = 80

export function wordToken(word: string): string {
  return wordPrefix + disguised(word)
}

export function stemToken(stem: string): string {
  return stemPrefix + disguised(stem)
}

/** Character by character, so that the start of a word is the start of its token. */
function disguised(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word.slice(0, maxTokenLength - wordPrefix.length)
  let token = ''
  for (const character of word) {
    const next = /[a-z0-9]/.test(character)
      ? character
      : `_${(character.codePointAt(0) ?? 0).toString(16).padStart(5, '0')}`
    if (wordPrefix.length + token.length + next.length > maxTokenLength) break
    token += next
  }
  return token
}
