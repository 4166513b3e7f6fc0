import type { Attrs, Slice } from '@tiptap/pm/model'

/** HTML and attributes copied in this tab, which may be pasted unchanged; anything from elsewhere is cleaned. */
const copied = new Set<string>()

export const isCopied = (text: string): boolean => copied.has(text)

/** Remembers the hidden parts of copied content: opaque HTML, and original tags and attributes. */
export function rememberCopied(slice: Slice): Slice {
  slice.content.descendants(({ attrs, marks }) => {
    for (const each of [attrs, ...marks.map((mark) => mark.attrs)]) remember(each)
  })
  return slice
}

function remember({ html, source }: Attrs) {
  if (typeof html === 'string') copied.add(html)
  if (source !== null && source !== undefined) copied.add(JSON.stringify(source))
}
