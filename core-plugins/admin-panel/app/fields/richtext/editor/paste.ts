import type { Slice } from '@tiptap/pm/model'
import DOMPurify from 'dompurify'
import { blockTypes, markTypes } from '../html/known-elements.ts'
import { emptyContainer } from '../html/parse-html.ts'
import { opaqueAttribute } from './opaque.ts'

/** HTML that was copied in this tab may come back as it was; what comes from elsewhere is cleaned. */
const copied = new Set<string>()

/** Remembers the opaque HTML in what is being copied. */
export function copiedOpaque(slice: Slice): Slice {
  slice.content.descendants(({ attrs }) => {
    if (typeof attrs.html === 'string') copied.add(attrs.html)
  })
  return slice
}

const allowedTags = [...Object.keys(blockTypes), ...Object.keys(markTypes), 'br', 'img', 'div', 'span']
const allowedAttributes = ['href', 'title', 'src', 'alt', 'start', 'style', 'data-pm-slice', opaqueAttribute]

/** How word processors write emphasis, and what it is here. */
const emphases: readonly { readonly style: RegExp; readonly tag: string }[] = [
  { style: /font-weight:\s*(bold|[6-9]00)/, tag: 'strong' },
  { style: /font-style:\s*italic/, tag: 'em' },
  { style: /text-decoration[^;]*:[^;]*line-through/, tag: 's' },
]

/** Pasted HTML as the editor may take it: known elements, emphasis, links and pictures; no scripts, classes or styles. */
export function cleanPasted(html: string): string {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: allowedAttributes,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const element of fragment.querySelectorAll('*')) {
    cleanOpaque(element)
    emphasise(element)
    // Pictures in the text itself would be stored with it.
    if (element.matches('img:not([src^="https:"], [src^="http:"], [src^="/"])')) element.remove()
  }
  const container = emptyContainer(document.body)
  container.append(fragment)
  return container.innerHTML
}

function cleanOpaque(element: Element) {
  const html = element.getAttribute(opaqueAttribute)
  if (html === null || copied.has(html)) return
  const clean = DOMPurify.sanitize(html)
  if (clean === '') element.remove()
  else element.setAttribute(opaqueAttribute, clean)
}

function emphasise(element: Element) {
  const style = element.getAttribute('style')
  element.removeAttribute('style')
  if (style === null) return
  // Google Docs wraps everything in a <b> that is not bold.
  if (element.localName === 'b' && /font-weight:\s*normal/.test(style))
    return element.replaceWith(...element.childNodes)
  for (const { style: pattern, tag } of emphases) {
    if (!pattern.test(style) || element.closest(tag) !== null) continue
    const wrapper = element.ownerDocument.createElement(tag)
    wrapper.append(...element.childNodes)
    element.append(wrapper)
  }
}
