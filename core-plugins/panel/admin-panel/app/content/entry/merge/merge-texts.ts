import { diff3Merge } from 'node-diff3'

export interface Texts {
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

/** In characters. Shorter texts are names and titles, where mixing halves of both versions makes no sense. */
const leastProse = 80

/** Whether a text is long enough to consist of parts that can be changed one by one. */
export const isProse = (text: string): boolean => isHtml(text) || text.length >= leastProse

const isHtml = (text: string) => /^\s*<[a-z][^>]*>/i.test(text)

/** Merges two changed versions of a text; undefined if both changed the same words, or if the text is short. */
export function mergeTexts(texts: Texts): string | undefined {
  const all = Object.values(texts)
  if (all.some(isHtml)) return mergeHtml(texts)
  return all.some(isProse) ? mergeBy(texts, wordsOf) : undefined
}

/** Merges by outermost elements, and by words within elements that both have changed, so that the result stays well-formed. */
function mergeHtml(texts: Texts): string | undefined {
  const canBeSplit = [texts.mine, texts.base, texts.theirs].every((text) => blocksOf(text) !== undefined)
  return canBeSplit ? mergeBy(texts, (text) => blocksOf(text) ?? [text], mergeWithin) : undefined
}

/**
 * Merges by words and tags. Both sides may change words; if both have changed tags as well, the result could be nested wrongly.
 */
function mergeWithin(texts: Texts): string | undefined {
  const { base, mine, theirs } = texts
  const areTagsKept = [mine, theirs].some((text) => tagsOf(text) === tagsOf(base))
  const merged = areTagsKept ? mergeBy(texts, tagsAndWordsOf) : undefined
  return merged === undefined || blocksOf(merged) === undefined ? undefined : merged
}

function mergeBy(
  { base, mine, theirs }: Texts,
  split: (text: string) => string[],
  mergeConflict: (texts: Texts) => string | undefined = () => undefined,
): string | undefined {
  const regions = diff3Merge(split(mine), split(base), split(theirs), { excludeFalseConflicts: true })
  const merged = regions.map(({ ok, conflict }) =>
    conflict === undefined
      ? (ok ?? []).join('')
      : mergeConflict({ mine: conflict.a.join(''), base: conflict.o.join(''), theirs: conflict.b.join('') }),
  )
  return merged.includes(undefined) ? undefined : merged.join('')
}

const tagsAndWordsOf = (html: string) => html.match(/<[^>]*>|[^\s<]+\s*|\s+|</g) ?? []

const tagsOf = (html: string) => (html.match(/<[^>]*>/g) ?? []).join('')

/** Words, with the white space that follows them. */
const wordsOf = (text: string) => text.match(/\S+\s*|\s+/g) ?? []

const tag = /<(\/?)([a-z][\w-]*)[^>]*?(\/?)>/gi
const withoutEnd = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

/** The outermost elements, each with the text before it; undefined if elements are not nested properly. */
function blocksOf(html: string): string[] | undefined {
  const blocks: string[] = []
  const open: string[] = []
  let start = 0
  for (const { 0: whole, 1: slash, 2: name = '', 3: isClosed, index } of html.matchAll(tag)) {
    const element = name.toLowerCase()
    if (slash === '/' && open.pop() !== element) return undefined
    if (slash === '' && isClosed === '' && !withoutEnd.has(element)) open.push(element)
    if (open.length > 0) continue
    const end = index + whole.length
    blocks.push(html.slice(start, end))
    start = end
  }
  if (open.length > 0) return undefined
  return start < html.length ? [...blocks, html.slice(start)] : blocks
}
