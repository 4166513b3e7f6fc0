import { isElement } from './known-elements.ts'
import { outerHtmlOf } from './parse-html.ts'

const maxLength = 80

/** The first piece of `before` that `after` has not kept; undefined if they are equal. */
export function differenceBetween(before: Node, after: Node): string | undefined {
  if (before.isEqualNode(after)) return undefined
  const [left, right] = [before.cloneNode(), after.cloneNode()]
  if (!left.isEqualNode(right)) return excerptOf(before)
  const pairs = [...before.childNodes].map((child, index) => [child, after.childNodes[index]] as const)
  for (const [child, other] of pairs) {
    const difference = other === undefined ? excerptOf(child) : differenceBetween(child, other)
    if (difference !== undefined) return difference
  }
  const added = after.childNodes[before.childNodes.length]
  return excerptOf(added ?? before)
}

function excerptOf(node: Node): string {
  const html = isElement(node) ? outerHtmlOf(node) : (node.textContent ?? '')
  return html.length > maxLength ? `${html.slice(0, maxLength)}…` : html
}
