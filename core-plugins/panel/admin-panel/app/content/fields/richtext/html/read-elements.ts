import { DOMSerializer, type Node } from '@tiptap/pm/model'
import { opaqueAttribute, opaqueToRead } from '../editor/opaque.ts'

/**
 * Renders a document for reading: links open in a new tab, so that the form stays, and content unknown to the editor is shown as
 * text, never as elements.
 */
export function elementsToRead(doc: Node): DocumentFragment {
  const fragment = document.createDocumentFragment()
  DOMSerializer.fromSchema(doc.type.schema).serializeFragment(doc.content, { document }, fragment)
  for (const link of fragment.querySelectorAll('a')) openElsewhere(link)
  for (const kept of fragment.querySelectorAll(`[${opaqueAttribute}]`)) {
    const html = kept.getAttribute(opaqueAttribute) ?? ''
    kept.replaceWith(opaqueToRead(kept.matches('div') ? 'div' : 'span', html))
  }
  return fragment
}

const followed = new Set(['http:', 'https:', 'mailto:'])

/** Other kinds of addresses may run code; for such links, only the text is kept. */
function openElsewhere(link: HTMLAnchorElement) {
  const address = link.getAttribute('href') ?? ''
  if (address === '' || !followed.has(link.protocol)) return link.replaceWith(...link.childNodes)
  link.target = '_blank'
  link.rel = 'noreferrer'
}
