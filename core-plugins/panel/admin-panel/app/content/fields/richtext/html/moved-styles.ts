/**
 * Where elements have their `style` while they are looked at: the policy of the page reports every style of its own,
 * wherever it is parsed, even in a document that is never shown.
 */
export const styleAttribute = 'data-mortise-style'

const prefix = 'data-mortise-'
/** Or an element of which a browser makes text, tags and all: that one stays as it is. */
const tag = /<(textarea|title)\b[\s\S]*?(?:<\/\1|$)|<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi
/** With its value, so that nothing in that is taken for an attribute. */
const attribute = /([^\s"'<>/=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]*))/g
const style = new RegExp(`^(?:${prefix})*style$`, 'i')
const movedStyle = new RegExp(`^${prefix}(?=(?:${prefix})*style$)`, 'i')

/**
 * HTML with all styles in `styleAttribute`; what is quoted, such as locked HTML, stays as it is. An attribute that has that
 * name already gets a longer one, so that `putStylesBack` restores every byte.
 */
export const moveStyles = (html: string): string =>
  renamed(html, (name) => (style.test(name) ? prefix + name : name))

/** The reverse of `moveStyles`. */
export const putStylesBack = (html: string): string => renamed(html, originalName)

/** The name that an attribute had before `moveStyles`. */
export const originalName = (name: string): string => name.replace(movedStyle, '')

const renamed = (html: string, rename: (name: string) => string) =>
  html.replace(tag, (each, text?: string) =>
    text !== undefined
      ? each
      : each.replace(attribute, (_, name: string, value: string) => rename(name) + value),
  )

export const styleOf = (element: Element): string => element.getAttribute(styleAttribute) ?? ''
