/**
 * Words go to the databases in a disguise that all of their engines take for one word each: ASCII letters, digits and
 * underscores only; longer than the shortest word that an engine looks at, and none of the frequent words that it
 * passes over. So all of them find the same.
 */
const wordPrefix = 'zq'
const stemPrefix = 'zs'

/** Stands between texts that follow one another, so that no phrase reaches from one into the next. */
export const gapToken = 'zzz'

/** InnoDB leaves words of more than 84 characters out. */
const maxTokenLength = 80

export function wordToken(word: string): string {
  return wordPrefix + disguised(word)
}

export function stemToken(stem: string): string {
  return stemPrefix + disguised(stem)
}

/** Character by character, so that the beginning of a word is the beginning of its token. */
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
