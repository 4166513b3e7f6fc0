/** Shorter than any part of a token that would help to guess the rest, but longer than what texts have in common by chance. */
const quoteLength = 8
/** Matches tokens; error messages contain no other words of this length that are needed. */
const longWords = /[\w-]{20,}/g
/** The maximum length of a server's response that is kept. */
const longestAnswer = 1_000

/** Secrets that must not appear in error messages that quote a mail or login. */
export interface Withheld {
  /** The text of the mail, of which only long words are withheld. */
  readonly text: string
  readonly secrets: readonly string[]
}

/** The response of a server without the parts that it quotes from withheld texts. */
export function withoutQuotes(answer: string, { text, secrets }: Withheld): string {
  const words = [...text.matchAll(longWords)].map(([word]) => word)
  const quotes = partsOf([...words, ...secrets])
  let said = answer.slice(0, longestAnswer)
  for (const secret of secrets) if (secret !== '') said = said.replaceAll(secret, '…')
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

function partsOf(words: readonly string[]): ReadonlySet<string> {
  const parts = new Set<string>()
  for (const word of words) {
    for (let at = 0; at + quoteLength <= word.length; at++) parts.add(word.slice(at, at + quoteLength))
  }
  return parts
}
