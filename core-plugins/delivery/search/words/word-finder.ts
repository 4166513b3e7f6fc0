/*
 * Scripts without spaces between words: each character counts as a word, so that part of a text is found as the sequence of its
 * characters. By their extensions, since what several of them share is of no script alone: the long vowel of コーヒー.
 */
const unspaced =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}]'
const sign = '[\\p{L}\\p{N}\\p{M}]'
const unspacedSign = `[${unspaced}&&${sign}]`
/** What belongs to the character before it: marks, the voice of half-width kana, the vowels and finals of decomposed Hangul. */
const following = '[\\p{M}\\uff9e\\uff9f\\u1160-\\u11ff\\ud7b0-\\ud7ff]'
/** U+02BC is an apostrophe, though Unicode counts it among the letters. */
const letter = `[${sign}--${unspaced}--[\\u02bc]]`
/** An apostrophe inside of a Ukrainian or Belarusian word; in names such as д'Артаньян it stands before other letters. */
const cyrillicApostrophe = "(?<=\\p{sc=Cyrl})['’\\u02bc](?=[яюєїеёі]|[ЯЮЄЇЕЁІ](?!\\p{Ll}))"
/** What is not seen: soft hyphens, joiners and non-joiners, spaces without width. */
const ignorable = '\\p{DI}'
/** What a word is; the finder below finds the same. */
export const wordPattern = new RegExp(
  `${unspacedSign}${following}*|${letter}(?:(?:${ignorable}|${cyrillicApostrophe})*${letter})*`,
  'yv',
)

const unspacedLetter = new RegExp(unspacedSign, 'v')

/** Whether a word is of a script without spaces, or holds such letters. */
export function isUnspaced(word: string): boolean {
  return unspacedLetter.test(word)
}

/** What a code unit may be in words, as the pattern has it; several of them, or none: it ends a word. */
const [isLetter, isUnspacedSign, isFollowing, needsPattern, isKnown] = [1, 2, 4, 8, 16]

const kindPatterns = [
  [isLetter, letter],
  [isUnspacedSign, unspacedSign],
  [isFollowing, following],
  // Halves of rare characters tell nothing alone.
  [needsPattern, `[${ignorable}\\ud800-\\udfff]`],
].map(([kind, pattern]) => ({ kind: Number(kind), pattern: new RegExp(`^${pattern}`, 'v') }))

/** By code unit, filled as they occur: for each of the 65,536, Unicode's tables would take too long at the start. */
const kinds = new Uint8Array(0x1_0000)

/** `code` NaN, behind the end of a text: it ends a word. */
function kindOf(code: number): number {
  const kind = kinds[code] ?? isKnown
  return kind === 0 ? learnKind(code) : kind
}

function learnKind(code: number): number {
  const character = String.fromCharCode(code)
  let kind = isKnown
  for (const { kind: each, pattern } of kindPatterns) if (pattern.test(character)) kind |= each
  kinds[code] = kind
  return kind
}

const firstCyrillic = 0x400
const apostrophes = new Set([..."'’\u02bc"].map((apostrophe) => apostrophe.charCodeAt(0)))

/**
 * Finds where words may be in a text, one after the other: of some, reading leaves nothing. Most words are read sign by sign, in a
 * fraction of the time that the pattern takes; what is rare in words is left to it.
 */
export class WordFinder {
  /** Where the word that was found last begins and ends. */
  start = 0
  end = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** Moves on to the next word; false if there is none. */
  next(): boolean {
    const text = this.#text
    for (let at = this.end; at < text.length; at++) {
      const kind = kindOf(text.charCodeAt(at))
      if (kind === isKnown) continue
      const end = this.#endFrom(at, kind)
      if (end > at) {
        this.start = at
        this.end = end
        return true
      }
      // No word begins in the middle of a character.
      if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1
    }
    return false
  }

  /** Where the word that begins at a place ends; there, if none begins. */
  #endFrom(start: number, kind: number): number {
    if ((kind & (isUnspacedSign | isLetter)) === 0) return this.#endByPattern(start)
    const text = this.#text
    const goesOn = (kind & isUnspacedSign) !== 0 ? isFollowing : isLetter
    let end = start + 1
    let next = kindOf(text.charCodeAt(end))
    while ((next & goesOn) !== 0) next = kindOf(text.charCodeAt(++end))
    const isSure = (next & needsPattern) === 0 && !this.#mayJoin(end)
    return isSure ? end : this.#endByPattern(start)
  }

  /** Whether an apostrophe stands at a place that may be inside of a Cyrillic word. */
  #mayJoin(at: number): boolean {
    return this.#text.charCodeAt(at - 1) >= firstCyrillic && apostrophes.has(this.#text.charCodeAt(at))
  }

  #endByPattern(start: number): number {
    wordPattern.lastIndex = start
    return wordPattern.test(this.#text) ? wordPattern.lastIndex : start
  }
}
