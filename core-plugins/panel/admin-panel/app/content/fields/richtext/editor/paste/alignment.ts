import { styleOf } from '../../html/moved-styles.ts'
import { type Source, sourceAttribute } from '../../html/source-attribute.ts'
import { lockedElements } from './locked-elements.ts'

/** Keeps the alignment of elements inside content that will be locked (made opaque). */
export const alignmentAttribute = 'data-align'

const aligned = 'p, h1, h2, h3, h4, h5, h6'

/** Records the alignment of paragraphs and headings, and of all elements inside content that will be locked. */
export function keepAlignment(container: Element) {
  for (const element of container.querySelectorAll('*')) {
    const isLocked = element.closest(lockedElements) !== null
    if (!isLocked && !element.matches(aligned)) continue
    const alignment = isLocked ? ownAlignment(element) : alignmentOf(element)
    element.removeAttribute('align')
    if (alignment === undefined || alignment === 'left') continue
    if (isLocked) element.setAttribute(alignmentAttribute, alignment)
    else if (!element.hasAttribute(sourceAttribute)) {
      const source: Source = { attributes: { style: `text-align: ${alignment}` } }
      element.setAttribute(sourceAttribute, JSON.stringify(source))
    }
  }
}

/** The alignment of an element, inherited from its ancestors. */
function alignmentOf(element: Element): string | undefined {
  return (
    ownAlignment(element) ?? (element.parentElement === null ? undefined : alignmentOf(element.parentElement))
  )
}

function ownAlignment(element: Element): string | undefined {
  if (element.localName === 'center') return 'center'
  const said = /text-align:\s*(\w+)/i.exec(styleOf(element))?.[1] ?? element.getAttribute('align')
  const alignment = said?.toLowerCase()
  return ['left', 'center', 'right', 'justify'].find((each) => each === alignment)
}
