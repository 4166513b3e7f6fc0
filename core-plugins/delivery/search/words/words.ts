import { foldWord, isPlain, type Spelling } from './fold.ts'
import { otherSpellings } from './other-spellings.ts'
import { WordFinder } from './word-finder.ts'

/** A word of a text with its position. */
export interface Word extends Spelling {
  readonly start: number
  readonly end: number
  /** Without case and accents, like `text`: `mueller` for Müller, `c++`. */
  readonly others: readonly string[]
}

/** The words of a text in order. */
export function* wordsIn(text: string): Generator<Word> {
  const finder = new WordFinder(text)
  while (finder.next()) {
    const { start, end } = finder
    const { text: folded, spelled } = readWord(text.slice(start, end))
    if (folded === '') continue
    const others = otherSpellings({ text: folded, spelled }, symbolAt(text, end))
    // Listed one by one, since spreading the word would take longer than everything else.
    yield { text: folded, spelled, others, start, end }
  }
}

const unread = /[\p{DI}'’\u02bc]/gu

/** The spellings of a word from a text. */
export function readWord(found: string): Spelling {
  const spelled = isPlain(found) ? found : found.replace(unread, '').normalize('NFC').toLowerCase()
  return { text: foldWord(spelled), spelled }
}

const [plus, hash] = [0x2b, 0x23]
const symbols = /(?:\+\+|#)(?!\p{L}|\p{N})/uy

/** The symbols after the last letter of a name such as C++ or C#; empty for other words. */
export function symbolAt(text: string, end: number): string {
  const code = text.charCodeAt(end)
  if (code !== plus && code !== hash) return ''
  symbols.lastIndex = end
  return symbols.exec(text)?.[0] ?? ''
}
