import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'

/** Longer queries rarely repeat. */
const maxKnownLength = 512

const known = new LRUCache<string, string>(upTo(2_000))

/**
 * The canonical form of a query string: names in alphabetical order, and only characters encoded that would otherwise have
 * another meaning. A query that cannot be decoded is returned unchanged, and refused later.
 */
export function canonicalQuery(text: string): string {
  if (isCanonical(text)) return text
  const found = known.get(text)
  if (found !== undefined) return found
  const spelled = spell(text)
  if (text.length <= maxKnownLength) known.set(text, spelled)
  return spelled
}

/** Whether a query is already canonical, as most are. Checked in one pass, so that these stay cheap. */
function isCanonical(text: string): boolean {
  let isOrdered = true
  let last = ''
  for (let start = 0; start < text.length; ) {
    const equals = text.indexOf('=', start)
    const end = endOfPair(text, start)
    if (end === undefined || equals <= start || equals > end) return false
    const name = text.slice(start, equals)
    isOrdered &&= name >= last
    last = name
    start = end + 1
    if (start === text.length) return false
  }
  return isOrdered || (text.includes('[]') && isInOrder(text.split('&').map(pairOf)))
}

const [percent, ampersand, plus] = [0x25, 0x26, 0x2b]

/** The end of a name and value; undefined if the pair contains encoded characters. */
function endOfPair(text: string, start: number): number | undefined {
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === ampersand) return index
    if (code === percent || code === plus) return undefined
  }
  return text.length
}

type Pair = readonly [name: string, value: string]

function spell(text: string): string {
  try {
    const pairs = text
      .split('&')
      .filter((pair) => pair !== '')
      .map(decodedPair)
    if (!isInOrder(pairs)) pairs.sort(byName)
    return pairs.map(encodedPair).join('&')
  } catch {
    return text
  }
}

function pairOf(pair: string): Pair {
  const equals = pair.indexOf('=')
  return equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
}

function decodedPair(pair: string): Pair {
  const [name, value] = pairOf(pair)
  return [decoded(name), decoded(value)]
}

/** A plus is decoded as a space, as in parsing. */
function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}

function encodedPair([name, value]: Pair): string {
  return `${name.replace(/[%+&=]/g, encodeURIComponent)}=${value.replace(/[%+&]/g, encodeURIComponent)}`
}

/** Empty brackets are numbered in their order, so queries that contain them are not sorted. */
function isInOrder(pairs: readonly Pair[]): boolean {
  return (
    pairs.every(([name], index) => name >= (pairs[index - 1]?.[0] ?? '')) ||
    pairs.some(([name]) => name.includes('[]'))
  )
}

/** The sort is stable, since the order of values of one name matters. */
function byName([one]: Pair, [other]: Pair): number {
  return one < other ? -1 : one > other ? 1 : 0
}
