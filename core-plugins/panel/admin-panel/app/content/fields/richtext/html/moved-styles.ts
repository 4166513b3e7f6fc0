/**
 * Holds the `style` of elements while they are parsed: the page's Content Security Policy reports inline styles wherever they are
 * parsed, even in a document that is never shown.
 */
export const styleAttribute = 'data-mortise-style'

const prefix = 'data-mortise-'
/** A start tag, or a whole element whose content browsers treat as text, which is left unchanged. */
const tag = /<(textarea|title)\b[\s\S]*?(?:<\/\1|$)|<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi
/** Includes the value, so that nothing in the value is taken for an attribute. */
const attribute = /([^\s"'<>/=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>][^\s>]*))/g
const style = new RegExp(`^(?:${prefix})*style$`, 'i')
const movedStyle = new RegExp(`^${prefix}(?=(?:${prefix})*style$)`, 'i')

/**
 * Renames all `style` attributes to `styleAttribute`; quoted text, such as locked HTML, is unchanged. An attribute that already
 * has that name gets a longer one, so that `putStylesBack` restores every byte.
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
