import { moveStyles, putStylesBack } from './moved-styles.ts'

interface HtmlPolicy {
  createHTML(html: string): string
}

interface PolicyFactory {
  createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy
}

/** The browsers without Trusted Types take the text itself. */
const factory = Reflect.get(globalThis, 'trustedTypes') as PolicyFactory | undefined

/** Harmless for any text, because it is used below only: the document is inert, nothing in it is loaded or run. */
const policy = factory?.createPolicy('mortise-richtext', { createHTML: (html) => html })

/** The elements of HTML, in a document that is never shown. Their styles are moved: see moved-styles.ts. */
export function parseHtml(html: string): HTMLElement {
  // Without the tag, a script at the start would end up in the head.
  const whole = `<body>${moveStyles(html)}`
  return new DOMParser().parseFromString(policy?.createHTML(whole) ?? whole, 'text/html').body
}

/** What is in an element, as it was before `parseHtml`. */
export const innerHtmlOf = (element: Element): string => putStylesBack(element.innerHTML)

/** An element, as it was before `parseHtml`. */
export const outerHtmlOf = (element: Element): string => putStylesBack(element.outerHTML)

/** A place for elements in the document of another one. */
export function emptyContainer({ ownerDocument }: Element): HTMLElement {
  return ownerDocument.createElement('div')
}
