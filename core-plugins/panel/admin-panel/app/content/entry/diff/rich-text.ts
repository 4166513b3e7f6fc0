const blockTags =
  'address|article|aside|blockquote|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul'

// An unclosed tag ends at the next tag or at the end of the text: searching further from every `<` would take quadratic time.
const endOfBlock = new RegExp(`</?(?:${blockTags})\\b[^<>]*>|<br\\b[^<>]*>`, 'gi')
const embedded = /<(img|iframe|video|audio|embed|object)\b([^<>]*)>/gi
const notShown = /<!--[\s\S]*?(?:-->|$)|<(script|style|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi
const otherTag = /<\/?[a-z][^<>]*>/gi
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi

const namedEntities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  hellip: '…',
  lt: '<',
  mdash: '—',
  nbsp: '\u00a0',
  ndash: '–',
  quot: '"',
  shy: '\u00ad',
}

/**
 * The visible text of HTML, one line per block element. For display as text only; the result must never be parsed as HTML. It is
 * computed with regular expressions, since parsing untrusted HTML into a document would be a risk.
 */
export function wordsOfHtml(html: string): string {
  return html
    .replace(notShown, '')
    .replace(/\s+/g, ' ')
    .replace(embedded, (_, tag: string, attributes: string) => `[${labelOf(tag, attributes)}]`)
    .replace(endOfBlock, '\n')
    .replace(otherTag, '')
    .replace(entity, decoded)
    .replace(/ *\n[ \n]*/g, '\n')
    .trim()
}

function labelOf(tag: string, attributes: string): string {
  const [, quoted, bare] = /\b(?:alt|title|src)\s*=\s*(?:["']([^"']*)["']|(\S+))/i.exec(attributes) ?? []
  return [tag.toLowerCase(), quoted ?? bare ?? ''].join(' ').trim()
}

function decoded(whole: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return namedEntities[name.toLowerCase()] ?? whole
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}
