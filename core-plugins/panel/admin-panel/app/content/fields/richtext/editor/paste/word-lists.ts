import { styleAttribute, styleOf } from '../../html/moved-styles.ts'

/** A list item as Word writes it: a paragraph whose style contains the level, with its bullet or number as text. */
interface WordItem {
  readonly paragraph: Element
  readonly level: number
  readonly tag: 'ul' | 'ol'
  readonly start: string | undefined
  /** The `type` of the list; undefined for numbers. */
  readonly type: string | undefined
}

interface OpenList {
  readonly level: number
  readonly element: Element
}

const signs = `span[${styleAttribute}*="mso-list" i]`

/** Turns Word's list paragraphs into lists. */
export function makeWordLists(container: Element) {
  let open: OpenList[] = []
  let last: Element | undefined
  for (const paragraph of container.querySelectorAll('p')) {
    const item = itemOf(paragraph)
    if (item === undefined) continue
    if (last === undefined || paragraph.previousElementSibling !== last) open = []
    last = addItem(item, open)
  }
}

function itemOf(paragraph: Element): WordItem | undefined {
  const level = /mso-list:[^;]*\blevel(\d+)/i.exec(styleOf(paragraph))?.[1]
  if (level === undefined) return undefined
  let sign = ''
  for (const each of paragraph.querySelectorAll(signs)) {
    sign += each.textContent
    each.remove()
  }
  const number = /^\s*(\d+|[a-z]{1,4})[.)]/i.exec(sign)?.[1]
  return {
    paragraph,
    level: Number(level),
    tag: number === undefined ? 'ul' : 'ol',
    start: number !== undefined && /^\d/.test(number) && number !== '1' ? number : undefined,
    type: number === undefined || /^\d/.test(number) ? undefined : numberingOf(number),
  }
}

/** The `type` attribute of a list. */
function numberingOf(number: string): string {
  const isRoman = /^([ivxlcdm]{2,}|i)$/i.test(number)
  const type = isRoman ? 'i' : 'a'
  return number === number.toUpperCase() ? type.toUpperCase() : type
}

/** Moves an item into its list, creating the list if needed; returns the outermost list. */
function addItem({ paragraph, level, tag, start, type }: WordItem, open: OpenList[]): Element {
  while ((open.at(-1)?.level ?? 0) > level) open.pop()
  const current = open.at(-1)
  if (current?.level === level && current.element.localName !== tag) open.pop()
  let list = open.at(-1)
  if (list?.level !== level) {
    const element = paragraph.ownerDocument.createElement(tag)
    if (start !== undefined) element.setAttribute('start', start)
    if (type !== undefined) element.setAttribute('type', type)
    const around = list?.element.lastElementChild
    if (around === null || around === undefined) paragraph.before(element)
    else around.append(element)
    list = { level, element }
    open.push(list)
  }
  const item = paragraph.ownerDocument.createElement('li')
  list.element.append(item)
  item.append(paragraph)
  return open[0]?.element ?? list.element
}

/** Google Docs nests lists directly in lists, where only items are allowed: moves them into the item before. */
export function nestLists(container: Element) {
  for (const list of container.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) {
    const before = list.previousElementSibling
    if (before?.localName === 'li') before.append(list)
  }
}
