import DOMPurify from 'dompurify'
import { moveStyles, putStylesBack, styleAttribute } from '../../html/moved-styles.ts'
import { emptyContainer } from '../../html/parse-html.ts'
import { sourceAttribute } from '../../html/source-attribute.ts'
import { opaqueAttribute } from '../opaque.ts'
import { keepAlignment } from './alignment.ts'
import { isCopied } from './copied.ts'
import { emphasise } from './emphasis.ts'
import { lockUnknown } from './lock-unknown.ts'
import { type PastedPicture, takePictures } from './pictures-in-html.ts'
import { makeWordLists, nestLists } from './word-lists.ts'

/** Pasted HTML made safe for the editor. */
export interface Cleaned {
  readonly html: string
  /** Pictures to be uploaded; `html` marks their positions. */
  readonly pictures: readonly PastedPicture[]
  /** Names of elements that were removed. */
  readonly leftOut: readonly string[]
}

/** Elements with visible content that pasted text must not bring in; their removal is reported. */
const refused = 'iframe object embed svg math canvas input select textarea button'.split(' ')

/** Attributes written by the panel, in this or another tab; each is checked below. */
const ownAttributes = [styleAttribute, opaqueAttribute, sourceAttribute, 'data-pm-slice']

const allowedAttributes = [
  ...'href title src alt start type colspan rowspan scope datetime cite open controls align'.split(' '),
  ...ownAttributes,
]

/**
 * Cleans pasted HTML: known elements, emphasis, alignment, lists, links and pictures stay; other meaningful elements are locked.
 * Scripts, classes, fonts and colours are removed.
 */
export function cleanPasted(html: string): Cleaned {
  const fragment = DOMPurify.sanitize(moveStyles(html), {
    FORBID_TAGS: [...refused, 'style'],
    ALLOWED_ATTR: allowedAttributes,
    // These values are not URLs; other attribute values are checked as URLs.
    ADD_URI_SAFE_ATTR: ownAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  const leftOut = DOMPurify.removed.flatMap((each) =>
    'element' in each ? [each.element.nodeName.toLowerCase()] : [],
  )
  const container = emptyContainer(fragment.ownerDocument.body)
  container.append(fragment)
  for (const element of container.querySelectorAll('*')) cleanKept(element)
  makeWordLists(container)
  nestLists(container)
  keepAlignment(container)
  for (const element of container.querySelectorAll('*')) emphasise(element)
  const pictures = takePictures(container)
  lockUnknown(container)
  return { html: container.innerHTML, pictures, leftOut: leftOut.filter((name) => refused.includes(name)) }
}

/** Checks content that the editor wrote to the clipboard, here or in another tab, or that pretends to be such content. */
function cleanKept(element: Element) {
  const html = element.getAttribute(opaqueAttribute)
  if (html !== null && !isCopied(html)) {
    const clean = cleanOpaque(html)
    if (clean === '') element.remove()
    else element.setAttribute(opaqueAttribute, clean)
  }
  const source = element.getAttribute(sourceAttribute)
  if (source === null || isCopied(source)) return
  element.removeAttribute(sourceAttribute)
  const style = styleIn(source)
  if (style !== undefined) element.setAttribute(styleAttribute, style)
}

/** Cleans locked content from another tab; it keeps its styles. */
const cleanOpaque = (html: string) =>
  putStylesBack(
    DOMPurify.sanitize(moveStyles(html), { ADD_ATTR: [styleAttribute], ADD_URI_SAFE_ATTR: [styleAttribute] }),
  )

function styleIn(source: string): string | undefined {
  try {
    const style = JSON.parse(source)?.attributes?.style
    return typeof style === 'string' ? style : undefined
  } catch {
    return undefined
  }
}
