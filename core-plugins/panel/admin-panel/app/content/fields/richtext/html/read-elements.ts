import { DOMSerializer, type Node } from '@tiptap/pm/model'
import { opaqueAttribute, opaqueToRead } from '../editor/opaque.ts'

/**
 * The elements of a document for those who only read it: its links open a new tab, so that the form stays, and what the
 * editor keeps without knowing it is told by its text, never by its elements.
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

/** Addresses of other kinds run programs or code; of such a link, only the text stays. */
function openElsewhere(link: HTMLAnchorElement) {
  const address = link.getAttribute('href') ?? ''
  if (address === '' || !followed.has(link.protocol)) return link.replaceWith(...link.childNodes)
  link.target = '_blank'
  link.rel = 'noreferrer'
}
