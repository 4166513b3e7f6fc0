/*
 * Scripts without spaces between words. Each character counts as a word, so that a part of a text is found as a sequence of
 * characters. Uses script extensions, since signs shared by several of them, such as the long vowel of コーヒー, belong to no
 * single script.
 */
const unspaced =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}]'
const sign = '[\\p{L}\\p{N}\\p{M}]'
const unspacedSign = `[${unspaced}&&${sign}]`
/** Characters that belong to the one before: marks, voicing marks of half-width kana, vowels and finals of decomposed Hangul. */
const following = '[\\p{M}\\uff9e\\uff9f\\u1160-\\u11ff\\ud7b0-\\ud7ff]'
/** U+02BC is excluded: it is an apostrophe, although Unicode counts it as a letter. */
const letter = `[${sign}--${unspaced}--[\\u02bc]]`
/** An apostrophe within a Ukrainian or Belarusian word; in names such as д'Артаньян other letters follow it. */
const cyrillicApostrophe = "(?<=\\p{sc=Cyrl})['’\\u02bc](?=[яюєїеёі]|[ЯЮЄЇЕЁІ](?!\\p{Ll}))"
/** Invisible characters: soft hyphens, joiners and non-joiners, zero-width spaces. */
const ignorable = '\\p{DI}'
/** Matches a word; `WordFinder` finds the same words faster. */
export const wordPattern = new RegExp(
  `${unspacedSign}${following}*|${letter}(?:(?:${ignorable}|${cyrillicApostrophe})*${letter})*`,
  'yv',
)

const unspacedLetter = new RegExp(unspacedSign, 'v')

/** Whether a word contains letters of a script without spaces. */
export function isUnspaced(word: string): boolean {
  return unspacedLetter.test(word)
}

/** Bit flags for the roles of a code unit in words, as in the pattern; without any of them, the code unit ends a word. */
const [isLetter, isUnspacedSign, isFollowing, needsPattern, isKnown] = [1, 2, 4, 8, 16]

const kindPatterns = [
  [isLetter, letter],
  [isUnspacedSign, unspacedSign],
  [isFollowing, following],
  // Surrogates say nothing without their other half.
  [needsPattern, `[${ignorable}\\ud800-\\udfff]`],
].map(([kind, pattern]) => ({ kind: Number(kind), pattern: new RegExp(`^${pattern}`, 'v') }))

/** By code unit, filled at the first occurrence, since testing all 65,536 against Unicode's tables would slow down the start. */
const kinds = new Uint8Array(0x1_0000)

/** `code` is NaN after the end of a text, which ends a word. */
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
 * Finds the words of a text one after the other, including some of which nothing remains after folding. Most words are read by
 * code unit, in a fraction of the time that the pattern takes; only rare cases use the pattern.
 */
export class WordFinder {
  /** The start and end of the last word. */
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
      // Words do not begin within a surrogate pair.
      if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1
    }
    return false
  }

  /** The end of the word that begins at `start`; `start` itself if there is none. */
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

  /** Whether there is an apostrophe at `at` that may be within a Cyrillic word. */
  #mayJoin(at: number): boolean {
    return this.#text.charCodeAt(at - 1) >= firstCyrillic && apostrophes.has(this.#text.charCodeAt(at))
  }

  #endByPattern(start: number): number {
    wordPattern.lastIndex = start
    return wordPattern.test(this.#text) ? wordPattern.lastIndex : start
  }
}
