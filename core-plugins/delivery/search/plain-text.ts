import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)
/** Decodes all HTML entities; loaded when the first one occurs. */
let decode: typeof import('html-entities').decode | undefined

// Tags that may occur inside words.
const inlineTag = /<\/?(?:a|abbr|b|code|em|i|mark|s|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]*)?\/?>/gi

/** Approximately what a reader sees of HTML. Plain text is returned unchanged. */
export function plainText(html: string): string {
  const text = html.replace(inlineTag, '').replace(/<[a-z!/][^<>]*>/gi, ' ')
  if (!text.includes('&')) return text
  decode ??= (load('html-entities') as typeof import('html-entities')).decode
  return decode(text)
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
