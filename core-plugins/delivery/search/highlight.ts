import { type Mark, marksIn } from './marks.ts'
import { escapeHtml } from './plain-text.ts'
import type { Term } from './terms.ts'
import type { FoundToken } from './tokenizers.ts'

/** The approximate length of an excerpt, in characters. */
const shownCharacters = 200
/** The number of characters before the first match. */
const leadingCharacters = 60
/** The limit of characters searched for a match; more would take longer than the search itself. */
const searchedCharacters = 50_000

/** The language of a text. */
export interface Language {
  readonly locale: string
  /** The words found by a plugin's tokenizer, whose stems replace the built-in ones. */
  readonly tokens?: readonly FoundToken[] | undefined
}

/**
 * The part of a text around the first match, as HTML with matches marked; undefined if nothing matches.
 */
export function highlight(text: string, terms: readonly Term[], language: Language): string | undefined {
  // Longest first, so that a phrase is marked as a whole.
  const wanted = terms
    .filter(({ isExcluded }) => !isExcluded)
    .sort((left, right) => right.words.length - left.words.length)
  const { locale, tokens } = language
  const literal = marksIn(text.slice(0, searchedCharacters), wanted, {
    locales: tokens === undefined ? [locale] : [],
    span: shownCharacters,
  })
  const marks = inOrder([...literal, ...marksOfTokens(tokens ?? [], wanted)])
  const [first] = marks
  if (first === undefined) return undefined
  const start = text.length <= shownCharacters ? 0 : startOf(text, first.start - leadingCharacters)
  const end = endOf(text, Math.max(start + shownCharacters, first.end))
  const shown = marks.filter((mark) => mark.end <= end)
  const html = markedUp(text, shown, { start, end })
  return `${start > 0 ? '… ' : ''}${html}${end < text.length ? ' …' : ''}`
}

/** Marks tokens with the stem of a term, at the positions that the tokenizer reports. */
function marksOfTokens(tokens: readonly FoundToken[], wanted: readonly Term[]): Mark[] {
  const stems = new Set(wanted.flatMap((term) => term.stems))
  return tokens.filter(({ stem }) => stem !== '' && stems.has(stem))
}

/** Sorts by position, longest first; marks that overlap an earlier one are skipped when drawing. */
function inOrder(marks: readonly Mark[]): Mark[] {
  return [...marks].sort((left, right) => left.start - right.start || right.end - left.end)
}

/** Avoids starting within a word. */
function startOf(text: string, wished: number): number {
  if (wished <= 0) return 0
  const space = text.indexOf(' ', wished)
  const start = space === -1 || space > wished + leadingCharacters / 2 ? wished : space + 1
  return isInsideOfPair(text, start) ? start + 1 : start
}

function endOf(text: string, wished: number): number {
  if (wished >= text.length) return text.length
  const space = text.lastIndexOf(' ', wished)
  const end = space < wished - leadingCharacters / 2 ? wished : space
  return isInsideOfPair(text, end) ? end - 1 : end
}

/** Whether the index is within a surrogate pair. */
function isInsideOfPair(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xdc00 && code <= 0xdfff
}

function markedUp(text: string, marks: readonly Mark[], { start, end }: Mark): string {
  let html = ''
  let at = start
  for (const mark of marks) {
    if (mark.start < at) continue
    html += `${escapeHtml(text.slice(at, mark.start))}<mark>${escapeHtml(text.slice(mark.start, mark.end))}</mark>`
    at = mark.end
  }
  return html + escapeHtml(text.slice(at, end))
}
