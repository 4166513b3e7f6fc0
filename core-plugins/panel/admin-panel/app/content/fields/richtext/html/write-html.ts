import type { Mark, Node } from '@tiptap/pm/model'
import { blockTypes, markTypes } from './known-elements.ts'
import type { Source } from './source-attribute.ts'

type Attributes = Readonly<Record<string, string | number | null | undefined>>

const tagOfBlock = new Map(Object.entries(blockTypes).map(([tag, type]) => [type, tag]))
/** If a mark has several tags, the first one is written. */
const tagOfMark = new Map(
  Object.entries(markTypes)
    .reverse()
    .map(([tag, type]) => [type, tag]),
)

/**
 * Writes a block as HTML in its context. It does not use DOM elements, since the page's Content Security Policy would block
 * `style` attributes on them.
 */
export function writeBlock(node: Node, parent: Node, index: number): string {
  const { type, attrs } = node
  if (type.name === 'opaqueBlock') return attrs.html
  if (type.name === 'horizontalRule') return `<hr${attributesOf(attrs.source)}>`
  if (type.name === 'codeBlock') return codeBlock(node)
  const inside = node.isTextblock ? writeInlines(node) : writeBlocks(node)
  if (type.name === 'paragraph' && isBare(node, parent, index)) return inside
  const tag = type.name === 'heading' ? `h${attrs.level}` : tagOfBlock.get(type.name)
  const own =
    type.name === 'orderedList' ? { start: attrs.start === 1 ? null : attrs.start, type: attrs.type } : {}
  return `<${tag}${attributesOf(attrs.source, own)}>${inside}</${tag}>`
}

/** Writes all child blocks of a node. */
export function writeBlocks(parent: Node): string {
  return parent.children.map((child, index) => writeBlock(child, parent, index)).join('')
}

/**
 * Whether a paragraph is written without `<p>`: if it was parsed so, or if it is new and the first line of a list item. Two such
 * paragraphs in a row would become one line, so the second gets its element.
 */
function isBare({ attrs: { bare } }: Node, parent: Node, index: number): boolean {
  if (parent.type.name === 'doc') return bare === 'top' && !isBareBefore(parent, index)
  const isNewItem = bare === null && parent.type.name === 'listItem' && index === 0
  return isNewItem || (bare === 'inside' && !isBareBefore(parent, index))
}

function isBareBefore(parent: Node, index: number): boolean {
  const before = index === 0 ? undefined : parent.child(index - 1)
  return before?.type.name === 'paragraph' && isBare(before, parent, index - 1)
}

function codeBlock({ attrs, textContent }: Node): string {
  const language = attrs.language === null ? {} : { class: `language-${attrs.language}` }
  return `<pre${attributesOf(attrs.source)}><code${attributesOf(null, language)}>${escapeText(textContent)}</code></pre>`
}

/** Writes text with its marks. An element stays open while its mark continues, so that it is not closed and reopened. */
function writeInlines(block: Node): string {
  const nodes = block.children
  let html = ''
  let open: readonly Mark[] = []
  for (const [index, node] of nodes.entries()) {
    const kept = open.slice(
      0,
      countOf(open, (mark) => mark.isInSet(node.marks)),
    )
    html += closing(open.slice(kept.length))
    const added = node.marks.filter((mark) => !mark.isInSet(kept))
    const ordered = added.sort(
      (a, b) => reach(b, nodes, index) - reach(a, nodes, index) || depthOf(a) - depthOf(b),
    )
    html += ordered.map(openingTag).join('') + inlineHtml(node)
    open = [...kept, ...ordered]
  }
  return html + closing(open)
}

function inlineHtml({ type, text, attrs }: Node): string {
  if (type.name === 'opaqueInline') return attrs.html
  if (type.name === 'hardBreak') return `<br${attributesOf(attrs.source)}>`
  if (type.name !== 'image') return escapeText(text ?? '')
  const { src, alt, title } = attrs
  return `<img${attributesOf(attrs.source, { src, alt, title })}>`
}

/** How many of the first marks fulfil a condition, up to the first one that does not. */
function countOf(marks: readonly Mark[], isWanted: (mark: Mark) => boolean): number {
  const end = marks.findIndex((mark) => !isWanted(mark))
  return end === -1 ? marks.length : end
}

/** The index of the node at which a mark ends. */
function reach(mark: Mark, nodes: readonly Node[], from: number): number {
  let end = from
  while (end < nodes.length && mark.isInSet(nodes[end]?.marks ?? [])) end++
  return end
}

const depthOf = ({ attrs }: Mark): number => (attrs.source as Source | null)?.depth ?? 0
const tagOf = ({ type, attrs }: Mark) => (attrs.source as Source | null)?.tag ?? tagOfMark.get(type.name)

function openingTag(mark: Mark): string {
  const { href, target, rel, title } = mark.attrs
  const own = mark.type.name === 'link' ? { href, target, rel, title } : {}
  return `<${tagOf(mark)}${attributesOf(mark.attrs.source, own)}>`
}

const closing = (marks: readonly Mark[]) =>
  marks
    .toReversed()
    .map((mark) => `</${tagOf(mark)}>`)
    .join('')

function attributesOf(source: Source | null, own: Attributes = {}): string {
  const all: Attributes = { ...own, ...source?.attributes }
  return Object.entries(all)
    .filter(([, value]) => (value ?? null) !== null)
    .map(([name, value]) => ` ${name}="${escapeText(String(value)).replaceAll('"', '&quot;')}"`)
    .join('')
}

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\u00a0', '&nbsp;')
