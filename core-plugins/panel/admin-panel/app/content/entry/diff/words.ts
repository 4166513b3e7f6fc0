import { DIFF_DELETE, DIFF_EQUAL, diffCleanupSemantic, diffMain } from 'diff-match-patch-es'
import type { TextPart } from './change.ts'

/** Longer texts (in characters) are compared line by line, since comparing words would take too long. */
const longestInWords = 200_000

/** Each distinct token is encoded as one character; the code points below the surrogates are available. */
const alphabetSize = 0xd7ff

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Compares two texts by whole words, in any script. */
export function diffWords(before: string, after: string): TextPart[] {
  if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }]
  const split = before.length + after.length > longestInWords ? linesOf : wordsOf
  const alphabet = createAlphabet()
  const left = alphabet.encode(split(before))
  const right = alphabet.encode(split(after))
  if (left === undefined || right === undefined) return replaced(before, after)
  const diffs = diffMain(left, right)
  // Runs on encoded tokens, so that a part never ends in the middle of a word.
  diffCleanupSemantic(diffs)
  return diffs.map(([operation, encoded]) => ({
    kind: operation === DIFF_EQUAL ? 'same' : operation === DIFF_DELETE ? 'removed' : 'added',
    text: alphabet.decode(encoded),
  }))
}

const wordsOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment)

const linesOf = (text: string) => text.split(/(?<=\n)/)

function replaced(before: string, after: string): TextPart[] {
  const parts: TextPart[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return parts.filter(({ text }) => text !== '')
}

function createAlphabet() {
  const tokens: string[] = []
  const codes = new Map<string, number>()

  function codeOf(token: string): number {
    const known = codes.get(token)
    if (known !== undefined) return known
    codes.set(token, tokens.length)
    return tokens.push(token) - 1
  }

  return {
    /** Undefined if there are more distinct tokens than characters in the alphabet. */
    encode(text: readonly string[]): string | undefined {
      const encoded = text.map((token) => String.fromCharCode(codeOf(token) + 1))
      return tokens.length > alphabetSize - 1 ? undefined : encoded.join('')
    },
    decode: (encoded: string): string =>
      Array.from(encoded, (character) => tokens[character.charCodeAt(0) - 1]).join(''),
  }
}

/** Shortens unchanged text to `context` characters around each change. */
export function condense(parts: readonly TextPart[], context = 80): TextPart[] {
  return parts.map((part, index) => {
    if (part.kind !== 'same' || part.text.length <= 2 * context + 20) return part
    const head = index === 0 ? '' : upToWord(part.text.slice(0, context))
    const tail = index === parts.length - 1 ? '' : fromWord(part.text.slice(-context))
    return { kind: 'same', text: `${head}…${tail}` }
  })
}

const upToWord = (text: string) => text.replace(/\S*$/, '')

const fromWord = (text: string) => text.replace(/^\S*/, '')
