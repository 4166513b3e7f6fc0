import type { JSONContent } from '@tiptap/core'
import { Node, type Schema } from '@tiptap/pm/model'
import { collapseWhitespace } from './collapse-whitespace.ts'
import { differenceBetween } from './difference.ts'
import { isBlank, isElement, isInline, isText } from './known-elements.ts'
import { emptyContainer, innerHtmlOf, parseHtml } from './parse-html.ts'
import { htmlOf, readBlocks } from './read-html.ts'
import { writeBlock, writeBlocks } from './write-html.ts'

/** A text that the visual editor can show and write without loss. */
export interface VisualDocument {
  readonly kind: 'visual'
  readonly content: JSONContent
  /** Writes the HTML of a document of any schema. Blocks that were not edited keep every byte. */
  readonly write: (doc: Node) => string
}

/** A text that the visual editor would damage. */
export interface SourceOnly {
  readonly kind: 'source'
  /** The first piece of HTML that would be damaged. */
  readonly difference: string
  /** The HTML as repaired by a browser, which the editor can show. */
  readonly repaired: string
}

interface Block {
  readonly node: Node
  readonly html: string
  /** The HTML that the editor would write. */
  readonly written: string
}

/**
 * Opens a text in the visual editor. Each block is written back at once and compared with its original: a block that differs is
 * preserved as a whole and cannot be edited there. If the text as a whole would differ, only the source view is offered.
 */
export function openHtml(schema: Schema, html: string): VisualDocument | SourceOnly {
  const body = parseHtml(html)
  const repaired = innerHtmlOf(body)
  const difference = repairIn(html, repaired)
  if (difference !== undefined) return { kind: 'source', difference, repaired }
  const blocks = groupsOf(body).map(({ nodes, space }) => blockOf(schema, nodes, space))
  if (blocks.length === 0) return visual(documentOf(schema, [schema.node('paragraph')]), html, [])
  const doc = documentOf(
    schema,
    blocks.map(({ node }) => node),
  )
  const written = parseHtml(writeBlocks(doc))
  collapseWhitespace(written)
  collapseWhitespace(body)
  const lost = differenceBetween(body, written)
  return lost === undefined ? visual(doc, html, blocks) : { kind: 'source', difference: lost, repaired }
}

const documentOf = (schema: Schema, content: readonly Node[]) => schema.node('doc', null, content)

const visual = (doc: Node, html: string, blocks: readonly Block[]): VisualDocument => ({
  kind: 'visual',
  content: doc.toJSON(),
  write: writerOf(doc, html, blocks),
})

/** The first tag that the browser has moved, added or dropped. */
function repairIn(html: string, repaired: string): string | undefined {
  if (html === repaired) return undefined
  const [before, after] = [tagsOf(html), tagsOf(repaired)]
  const index = before.findIndex((tag, at) => tag !== after[at])
  if (index === -1 && before.length === after.length) return undefined
  return before[index] ?? after[before.length]
}

const tagsOf = (html: string) =>
  html.match(/<\/?[a-z][^\s/>]*|<!--/gi)?.map((tag) => `${tag.toLowerCase()}>`) ?? []

interface Group {
  readonly nodes: readonly globalThis.Node[]
  /** The white space before the next block. */
  readonly space: string
}

/** Splits a text into blocks: elements, and lines outside of elements. White space belongs to the block before it. */
function groupsOf(body: HTMLElement): Group[] {
  const groups: { nodes: globalThis.Node[]; space: string; isLine: boolean }[] = []
  for (const node of body.childNodes) {
    const last = groups.at(-1)
    const isLine = isInline(node)
    if (last?.isLine === true && isLine) last.nodes.push(node)
    else if (isText(node) && isBlank(node.data) && last !== undefined) last.space += node.data
    else groups.push({ nodes: [node], space: '', isLine })
  }
  return groups
}

function blockOf(schema: Schema, nodes: readonly globalThis.Node[], space: string): Block {
  const container = containerOf(nodes)
  const html = innerHtmlOf(container) + space
  collapseWhitespace(container)
  const [content, ...others] = readBlocks(container, 'top')
  if (content !== undefined && others.length === 0) {
    const node = Node.fromJSON(schema, content)
    const written = writeBlocks(documentOf(schema, [node]))
    if (isValid(node) && parseHtml(written).isEqualNode(bodyWith(container))) return { node, html, written }
  }
  const kept = htmlOf(nodes, container)
  return { node: schema.node('opaqueBlock', { html: kept }), html, written: kept }
}

function containerOf(nodes: readonly globalThis.Node[]): HTMLElement {
  const first = nodes.find(isElement) ?? nodes[0]?.parentElement
  const container = emptyContainer(first ?? document.body)
  container.append(...nodes.map((node) => node.cloneNode(true)))
  return container
}

/** Copies the nodes into an element that can be compared with a parsed one. */
function bodyWith(container: Element): Element {
  const body = container.ownerDocument.createElement('body')
  body.append(...[...container.childNodes].map((node) => node.cloneNode(true)))
  return body
}

function isValid(node: Node): boolean {
  try {
    node.check()
    return true
  } catch {
    return false
  }
}

/** Compares blocks by the HTML that would be written, so that undoing a change also restores the original bytes. */
function writerOf(original: Node, html: string, blocks: readonly Block[]) {
  const found = new Map(blocks.map((block) => [block.written, block.html]))
  const cache = new WeakMap<Node, string>()
  const writtenOf = (node: Node, doc: Node, index: number) => {
    // How a line without an element is written depends on the block before it, so it cannot be cached.
    const cached = node.attrs.bare === 'top' ? undefined : cache.get(node)
    const written = cached ?? writeBlock(node, doc, index)
    cache.set(node, written)
    return written
  }
  const unchanged = writeBlocks(original)
  return (doc: Node): string => {
    const written = doc.children.map((node, index) => writtenOf(node, doc, index))
    if (written.join('') === unchanged) return html
    return isEmpty(doc) ? '' : written.map((block) => found.get(block) ?? block).join('')
  }
}

const isEmpty = ({ childCount, firstChild }: Node) =>
  childCount === 1 && firstChild?.type.name === 'paragraph' && firstChild.childCount === 0
