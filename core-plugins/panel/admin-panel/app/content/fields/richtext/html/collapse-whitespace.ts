import { isBlank, isElement, isInline, isKnown, isText, nameOf } from './known-elements.ts'

/**
 * Removes white space that HTML does not show: line breaks and indentation between blocks, repeated spaces. Preformatted text and
 * elements unknown to the editor are unchanged.
 */
export function collapseWhitespace(container: Element) {
  let line = openLine()
  for (const node of [...container.childNodes]) {
    if (isInline(node)) {
      line.add(node)
      continue
    }
    line.end()
    line = openLine()
    if (isElement(node) && isKnown(node) && nameOf(node) !== 'pre') collapseWhitespace(node)
  }
  line.end()
}

/** Text up to the next block or the end of its block. */
function openLine() {
  let endsWithSpace = true
  let last: Text | undefined

  function addText(text: Text) {
    const collapsed = text.data.replace(/[ \t\n\r\f]+/g, ' ')
    const shown = endsWithSpace ? collapsed.replace(/^ /, '') : collapsed
    if (shown === '') return text.remove()
    text.data = shown
    endsWithSpace = shown.endsWith(' ')
    last = text
  }

  function add(node: Node) {
    if (isText(node)) return addText(node)
    if (!isElement(node)) return
    if (isKnown(node) && node.hasChildNodes()) {
      for (const child of [...node.childNodes]) add(child)
      return
    }
    endsWithSpace = nameOf(node) === 'br'
    last = undefined
  }

  function end() {
    if (last === undefined || !endsWithSpace) return
    last.data = last.data.slice(0, -1)
    if (isBlank(last.data)) last.remove()
  }

  return { add, end }
}
