/** Where pasted elements have their `style`: the policy of the page reports every style of its own, wherever it is parsed. */
export const styleAttribute = 'data-style'

const tag = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi
const quotedOrStyle = /"[^"]*"|'[^']*'|\sstyle(?=\s*=)/gi

/** HTML with all styles in `styleAttribute`; what is quoted, such as locked HTML, stays as it is. */
export const moveStyles = (html: string): string =>
  html.replace(tag, (each) =>
    each.replace(quotedOrStyle, (part) => (/^\s/.test(part) ? ` ${styleAttribute}` : part)),
  )

export const styleOf = (element: Element): string => element.getAttribute(styleAttribute) ?? ''
