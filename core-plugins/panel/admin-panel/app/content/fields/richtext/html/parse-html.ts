import { moveStyles, putStylesBack } from './moved-styles.ts'

interface HtmlPolicy {
  createHTML(html: string): string
}

interface PolicyFactory {
  createPolicy(name: string, rules: HtmlPolicy): HtmlPolicy
}

/** Browsers without Trusted Types accept plain strings. */
const factory = Reflect.get(globalThis, 'trustedTypes') as PolicyFactory | undefined

/** Safe for any text, because it is only used below: the document is inert, so nothing in it is loaded or run. */
const policy = factory?.createPolicy('mortise-richtext', { createHTML: (html) => html })

/** Parses HTML into a document that is never shown. Styles are moved: see moved-styles.ts. */
export function parseHtml(html: string): HTMLElement {
  // Without the tag, a script at the start would end up in the head.
  const whole = `<body>${moveStyles(html)}`
  return new DOMParser().parseFromString(policy?.createHTML(whole) ?? whole, 'text/html').body
}

/** The inner HTML as it was before `parseHtml`. */
export const innerHtmlOf = (element: Element): string => putStylesBack(element.innerHTML)

/** The outer HTML as it was before `parseHtml`. */
export const outerHtmlOf = (element: Element): string => putStylesBack(element.outerHTML)

/** An empty element in the same document as another. */
export function emptyContainer({ ownerDocument }: Element): HTMLElement {
  return ownerDocument.createElement('div')
}
