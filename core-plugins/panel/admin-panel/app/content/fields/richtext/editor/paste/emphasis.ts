import { styleAttribute, styleOf } from '../../html/moved-styles.ts'

/** Maps the styles that word processors use for emphasis to elements. */
const emphases: readonly { readonly style: RegExp; readonly tag: string; readonly unlessIn: string }[] = [
  { style: /font-weight:\s*(bold|[6-9]00)/i, tag: 'strong', unlessIn: 'strong, b, th' },
  { style: /font-style:\s*italic/i, tag: 'em', unlessIn: 'em, i' },
  { style: /text-decoration[^;]*:[^;]*line-through/i, tag: 's', unlessIn: 's, del, strike' },
  // Links are underlined anyway.
  { style: /text-decoration[^;]*:[^;]*underline/i, tag: 'u', unlessIn: 'u, a' },
  { style: /vertical-align:\s*super/i, tag: 'sup', unlessIn: 'sup' },
  { style: /vertical-align:\s*sub/i, tag: 'sub', unlessIn: 'sub' },
]

/** Wraps an element's content in the elements that its style stands for, and removes the style. */
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
