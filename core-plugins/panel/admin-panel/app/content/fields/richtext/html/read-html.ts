import type { JSONContent } from '@tiptap/core'
import { blockTypes, isBlank, isElement, isInline, isText, markTypes, nameOf } from './known-elements.ts'
import { emptyContainer, innerHtmlOf, outerHtmlOf } from './parse-html.ts'
import { keptAttributes, sourceOf } from './source-attribute.ts'

type Mark = NonNullable<JSONContent['marks']>[number]

/** The attributes that the editor's nodes and marks store, by element name. */
const ownAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'target', 'rel', 'title'],
  img: ['src', 'alt', 'title'],
  ol: ['start', 'type'],
}

/** The nesting order of marks, outermost first: a link is outside of emphasis. */
const markOrder = ['link', 'bold', 'code', 'italic', 'strike', 'underline']

/** The place of a line of text without its own element: between the top-level blocks, or inside a block. */
export type BarePlace = 'top' | 'inside'

/** Reads the blocks of a container whose white space has been collapsed. Elements unknown to the editor become opaque. */
export function readBlocks(container: Element, place: BarePlace): JSONContent[] {
  const blocks: JSONContent[] = []
  let line: Node[] = []
  const endLine = () => {
    if (line.length > 0) blocks.push(bareLine(line, container, place))
    line = []
  }
  for (const node of container.childNodes) {
    if (isInline(node)) line.push(node)
    else {
      endLine()
      blocks.push(blockOf(node as Element))
    }
  }
  endLine()
  return blocks
}

/** Text outside of a paragraph, as in most list items. Without visible text, it becomes opaque. */
function bareLine(nodes: readonly Node[], parent: Element, bare: BarePlace): JSONContent {
  const content = readInlines(nodes, [])
  const isOpaque = content.every(({ type, text }) => type === 'opaqueInline' || isBlank(text ?? ''))
  if (isOpaque) return opaque('opaqueBlock', htmlOf(nodes, parent))
  return { type: 'paragraph', attrs: { bare }, content }
}

function blockOf(element: Element): JSONContent {
  const name = nameOf(element)
  const type = blockTypes[name]
  if (type === undefined) return opaque('opaqueBlock', outerHtmlOf(element))
  const source = sourceOf({ attributes: keptAttributes(element, ownAttributes[name] ?? []) })
  if (type === 'codeBlock') return codeBlock(element, source)
  const attrs = { source, ...ownOf(name, element) }
  if (type === 'horizontalRule') return { type, attrs }
  return { type, attrs, content: contentOf(type, element) }
}

function contentOf(type: string, element: Element): JSONContent[] {
  if (type === 'paragraph' || type === 'heading') return readInlines([...element.childNodes], [])
  const blocks = readBlocks(element, 'inside')
  // The editor needs an empty paragraph for the cursor.
  return type === 'listItem' && blocks.length === 0
    ? [{ type: 'paragraph', attrs: { bare: 'inside' } }]
    : blocks
}

function ownOf(name: string, element: Element): Readonly<Record<string, unknown>> {
  if (/^h[1-6]$/.test(name)) return { level: Number(name[1]) }
  if (name === 'ol') {
    return { start: Number(element.getAttribute('start') ?? 1), type: element.getAttribute('type') }
  }
  return name === 'p' ? { bare: 'never' } : {}
}

/** `<pre><code>text</code></pre>`; any other kind is opaque. */
function codeBlock(element: Element, source: unknown): JSONContent {
  const [code, ...others] = element.childNodes
  const isPlain = code !== undefined && others.length === 0 && isElement(code) && nameOf(code) === 'code'
  if (!isPlain || code.childElementCount > 0) return opaque('opaqueBlock', outerHtmlOf(element))
  const language = /^language-(\S+)$/.exec(code.getAttribute('class') ?? '')?.[1] ?? null
  const text = code.textContent
  return {
    type: 'codeBlock',
    attrs: { source, language },
    ...(text === '' ? {} : { content: [{ type: 'text', text }] }),
  }
}

function readInlines(nodes: readonly Node[], marks: readonly Mark[]): JSONContent[] {
  return nodes.flatMap((node) => inlineOf(node, marks))
}

function inlineOf(node: Node, marks: readonly Mark[]): JSONContent[] {
  if (isText(node)) return node.data === '' ? [] : [{ type: 'text', text: node.data, marks: [...marks] }]
  if (!isElement(node)) return [opaque('opaqueInline', `<!--${node.nodeValue ?? ''}-->`, marks)]
  const name = nameOf(node)
  const mark = markOf(node, marks)
  if (mark !== undefined) return readInlines([...node.childNodes], [...marks, mark])
  const source = sourceOf({ attributes: keptAttributes(node, ownAttributes[name] ?? []) })
  if (name === 'br') return [{ type: 'hardBreak', attrs: { source }, marks: [...marks] }]
  if (name === 'img' && node.hasAttribute('src')) {
    const [src, alt, title] = ['src', 'alt', 'title'].map((attribute) => node.getAttribute(attribute))
    return [{ type: 'image', attrs: { source, src, alt, title }, marks: [...marks] }]
  }
  return [opaque('opaqueInline', outerHtmlOf(node), marks)]
}

/** The mark for an element; undefined if the editor could not write it back around its text. */
function markOf(element: Element, outer: readonly Mark[]): Mark | undefined {
  const name = nameOf(element)
  const type = markTypes[name]
  const isRepeated = outer.some((mark) => mark.type === type)
  if (type === undefined || isRepeated || !element.hasChildNodes()) return undefined
  if (type === 'link' && !element.hasAttribute('href')) return undefined
  const rank = markOrder.indexOf(type)
  const isInverted = outer.some((mark) => markOrder.indexOf(mark.type) > rank)
  const isFirstName = Object.keys(markTypes).find((each) => markTypes[each] === type) === name
  const source = sourceOf({
    tag: isFirstName ? undefined : name,
    attributes: keptAttributes(element, ownAttributes[name] ?? []),
    depth: isInverted ? outer.length : undefined,
  })
  const own = (ownAttributes[name] ?? []).map((each) => [each, element.getAttribute(each)])
  return { type, attrs: { source, ...Object.fromEntries(own) } }
}

const opaque = (type: string, html: string, marks: readonly Mark[] = []): JSONContent => ({
  type,
  attrs: { html },
  ...(marks.length === 0 ? {} : { marks: [...marks] }),
})

/** The HTML of the nodes. */
export function htmlOf(nodes: readonly Node[], sibling: Element): string {
  const container = emptyContainer(sibling)
  container.append(...nodes.map((node) => node.cloneNode(true)))
  return innerHtmlOf(container)
}
