const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

// Tags that may occur inside words.
const inlineTag = /<\/?(?:a|abbr|b|code|em|i|mark|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>/gi

/** Approximately what a reader sees of HTML. Plain text is returned unchanged. */
export function plainText(html: string): string {
  const text = html.replace(inlineTag, '').replace(/<[a-z!/][^<>]*>/gi, ' ')
  return text.replace(
    /&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{1,8});/gi,
    (whole, name: string) => decoded(name) ?? whole,
  )
}

function decoded(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()]
  const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for use in HTML, also within attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}
