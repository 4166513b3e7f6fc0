/** The element of each kind of block, without those whose name depends on attributes. */
export const blockTypes: Readonly<Record<string, string>> = {
  p: 'paragraph',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  blockquote: 'blockquote',
  ul: 'bulletList',
  ol: 'orderedList',
  li: 'listItem',
  pre: 'codeBlock',
  hr: 'horizontalRule',
}

/** Elements for emphasis and links; new marks are written with the first name of their list. */
export const markTypes: Readonly<Record<string, string>> = {
  strong: 'bold',
  b: 'bold',
  em: 'italic',
  i: 'italic',
  s: 'strike',
  del: 'strike',
  strike: 'strike',
  u: 'underline',
  code: 'code',
  a: 'link',
}

/** Inline elements, whether or not the editor supports them. */
const phrasing = new Set(
  `a abbr audio b bdi bdo br button canvas cite code data del dfn em embed i iframe img input ins kbd label map mark
  math meter object output picture progress q ruby s samp script select small span strike strong sub sup svg template
  textarea time u var video wbr`.split(/\s+/),
)

export const nameOf = (element: Element): string => element.localName

export const isElement = (node: Node): node is Element => node.nodeType === Node.ELEMENT_NODE
export const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE

/** Whether a node continues a line of text. */
export const isInline = (node: Node): boolean => !isElement(node) || phrasing.has(nameOf(node))

/** Whether the editor supports the element. */
export const isKnown = (element: Element): boolean => {
  const name = nameOf(element)
  return name in blockTypes || name in markTypes || name === 'br' || name === 'img'
}

/** White space that HTML collapses: not the non-breaking space. */
export const isBlank = (text: string): boolean => !/[^ \t\n\r\f]/.test(text)
