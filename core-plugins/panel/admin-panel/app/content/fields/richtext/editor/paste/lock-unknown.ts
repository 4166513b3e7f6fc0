import { isInline } from '../../html/known-elements.ts'
import { opaqueAttribute } from '../opaque.ts'
import { alignmentAttribute } from './alignment.ts'
import { lockedElements } from './locked-elements.ts'

/** Elements that only carry styles. */
const carriers = `span:not([${opaqueAttribute}]), font`

/** Replaces unknown elements with placeholders for locked blocks or inline content. */
export function lockUnknown(container: Element) {
  for (const figure of container.querySelectorAll('figure, picture')) {
    const isOnlyPicture = figure.localName === 'picture' || figure.querySelector('figcaption, table') === null
    if (isOnlyPicture) figure.replaceWith(...figure.querySelectorAll('img'))
  }
  for (const element of container.querySelectorAll(lockedElements)) {
    const isOutermost = element.parentElement?.closest(lockedElements) === null
    if (!isOutermost || isEmpty(element)) continue
    const place = element.ownerDocument.createElement(isInline(element) ? 'span' : 'div')
    place.setAttribute(opaqueAttribute, htmlOf(element))
    element.replaceWith(place)
  }
}

const isEmpty = (element: Element) =>
  element.textContent.trim() === '' && !element.matches('[src]') && element.querySelector('[src]') === null

function htmlOf(element: Element): string {
  for (const carrier of element.querySelectorAll(carriers)) carrier.replaceWith(...carrier.childNodes)
  const alignments = new RegExp(` ${alignmentAttribute}="(center|right|justify)"`, 'g')
  return element.outerHTML.replace(alignments, ' style="text-align: $1"')
}
