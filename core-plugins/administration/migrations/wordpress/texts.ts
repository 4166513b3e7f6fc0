import { TextWithFiles } from '../source.ts'

/** Addresses in HTML, in attributes as well as in the JSON of blocks. */
const words = /[^\s"'<>()[\]\\,|]+/g

/** Longer ones are no addresses but data. */
const maxAddress = 2_000

/** Names the files that a text leads to, so that their addresses become those that they have here. */
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
/** In which line breaks mean what they are. */
const verbatimTag = /<(pre|script|style|textarea)\b/gi

/** Whether the editor of blocks has written it, which writes paragraphs itself. */
const hasBlocks = (html: string) => html.includes('<!-- wp:')

/**
 * The classic editor keeps paragraphs as blank lines, which WordPress turns into tags whenever it shows them. Text beside tags of
 * blocks is a paragraph of its own, and what holds such tags is left as it is.
 */
export function withParagraphs(html: string): string {
  if (hasBlocks(html) || (!html.includes('\n') && block.test(html))) return html
  return [...piecesOf(html)]
    .map(({ text, isVerbatim }) => (isVerbatim ? text : paragraphsIn(text)))
    .filter((text) => text !== '')
    .join('\n')
}

/** Each tag is sought in the rest once, so that no text takes longer than its length. */
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
