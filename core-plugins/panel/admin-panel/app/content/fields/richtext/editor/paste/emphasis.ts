import { styleAttribute, styleOf } from '../../html/moved-styles.ts'

/** How word processors write emphasis, and what it is here. */
const emphases: readonly { readonly style: RegExp; readonly tag: string; readonly unlessIn: string }[] = [
  { style: /font-weight:\s*(bold|[6-9]00)/i, tag: 'strong', unlessIn: 'strong, b, th' },
  { style: /font-style:\s*italic/i, tag: 'em', unlessIn: 'em, i' },
  { style: /text-decoration[^;]*:[^;]*line-through/i, tag: 's', unlessIn: 's, del, strike' },
  // Links are underlined anyway.
  { style: /text-decoration[^;]*:[^;]*underline/i, tag: 'u', unlessIn: 'u, a' },
  { style: /vertical-align:\s*super/i, tag: 'sup', unlessIn: 'sup' },
  { style: /vertical-align:\s*sub/i, tag: 'sub', unlessIn: 'sub' },
]

/** Puts the elements around the content of one that its style stands for, and takes the style away. */
export function emphasise(element: Element) {
  const style = styleOf(element)
  element.removeAttribute(styleAttribute)
  if (style === '') return
  // Google Docs wraps everything in a <b> that is not bold.
  if (element.localName === 'b' && /font-weight:\s*normal/i.test(style))
    return element.replaceWith(...element.childNodes)
  if (!element.matches('span, font, p, a, div')) return
  for (const { style: pattern, tag, unlessIn } of emphases) {
    if (!pattern.test(style) || element.closest(unlessIn) !== null) continue
    const wrapper = element.ownerDocument.createElement(tag)
    wrapper.append(...element.childNodes)
    element.append(wrapper)
  }
}
