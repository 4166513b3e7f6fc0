/** Shorter than any part of a token that would help to guess the rest, longer than what texts share by chance. */
const quoteLength = 8
/** Tokens are such words; no error needs one. */
const longWords = /[\w-]{20,}/g
/** Of an answer, which may be of any length. */
const longestAnswer = 1_000

/** What a server has said, without the parts of long words that it quotes from the text of the mail. */
export function withoutQuotes(answer: string, text: string): string {
  const quotes = partsOf(text)
  const said = answer.slice(0, longestAnswer)
  let told = ''
  let quotedUntil = 0
  for (let at = 0; at < said.length; at++) {
    if (quotes.has(said.slice(at, at + quoteLength))) {
      if (at >= quotedUntil) told += '…'
      quotedUntil = at + quoteLength
    }
    if (at >= quotedUntil) told += said[at]
  }
  return told
}

function partsOf(text: string): ReadonlySet<string> {
  const parts = new Set<string>()
  for (const [word] of text.matchAll(longWords)) {
    for (let at = 0; at + quoteLength <= word.length; at++) parts.add(word.slice(at, at + quoteLength))
  }
  return parts
}
