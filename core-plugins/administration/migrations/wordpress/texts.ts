import { TextWithFiles } from '../source.ts'

/** Finds possible addresses in HTML: in attributes, text and the JSON of blocks. */
const words = /[^\s"'<>()[\]\\,|]+/g

/** Longer words are embedded data rather than addresses. */
const maxAddress = 2_000

/** Marks the addresses of files in a text, so that they can be replaced by the addresses here. */
export function withFiles(
  text: string,
  fileAt: (address: string) => string | undefined,
): string | TextWithFiles {
  const parts: TextWithFiles['parts'][number][] = []
  let end = 0
  for (const { 0: word, index } of text.matchAll(words)) {
    if (word.length > maxAddress || (!word.startsWith('http') && !word.startsWith('/'))) continue
    const uuid = fileAt(word)
    if (uuid === undefined) continue
    parts.push(text.slice(end, index), { uuid, address: word })
    end = index + word.length
  }
  return parts.length === 0 ? text : new TextWithFiles([...parts, text.slice(end)])
}

const blockTags =
  'address|article|aside|blockquote|center|col|colgroup|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|' +
  'iframe|legend|li|main|map|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|video'
const block = new RegExp(`</?(?:${blockTags})(?=[\\s/>])`, 'i')
const opening = new RegExp(`<(?:${blockTags})(?=[\\s/>])`, 'gi')
const closing = new RegExp(`</(?:${blockTags})>`, 'gi')
/** Elements in which line breaks are kept as they are. */
const verbatimTag = /<(pre|script|style|textarea)\b/gi

/** Whether the block editor has written the text; it writes paragraphs as tags. */
const hasBlocks = (html: string) => html.includes('<!-- wp:')

/**
 * Adds paragraph tags. The classic editor stores paragraphs as blank lines, which WordPress turns into tags when it shows the text.
 * Text next to a block-level element becomes a separate paragraph; block-level elements are left unchanged.
 */
export function withParagraphs(html: string): string {
  if (hasBlocks(html) || (!html.includes('\n') && block.test(html))) return html
  return [...piecesOf(html)]
    .map(({ text, isVerbatim }) => (isVerbatim ? text : paragraphsIn(text)))
    .filter((text) => text !== '')
    .join('\n')
}

/** Searches for each closing tag once, so that the time stays proportional to the length of the text. */
function* piecesOf(html: string): Generator<{ readonly text: string; readonly isVerbatim: boolean }> {
  const lower = html.toLowerCase()
  const unclosed = new Set<string>()
  let end = 0
  for (const { 1: tag = '', index } of lower.matchAll(verbatimTag)) {
    if (index < end || unclosed.has(tag)) continue
    const close = lower.indexOf(`</${tag}`, index)
    if (close === -1) unclosed.add(tag)
    const after = lower.indexOf('>', close) + 1
    if (close === -1 || after === 0) continue
    yield { text: html.slice(end, index), isVerbatim: false }
    yield { text: html.slice(index, after), isVerbatim: true }
    end = after
  }
  yield { text: html.slice(end), isVerbatim: false }
}

function paragraphsIn(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(opening, '\n\n$&')
    .replace(closing, '$&\n\n')
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (block.test(part) || isComment(part) ? part : `<p>${part.replaceAll('\n', '<br>\n')}</p>`))
    .join('\n')
}

/** `<!--more-->` */
const isComment = (part: string) => /^<!--[^>]*-->$/.test(part)
