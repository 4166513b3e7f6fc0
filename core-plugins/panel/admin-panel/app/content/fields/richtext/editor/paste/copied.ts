import type { Attrs, Slice } from '@tiptap/pm/model'

/** HTML and attributes that were copied in this tab may come back as they were; what comes from elsewhere is cleaned. */
const copied = new Set<string>()

export const isCopied = (text: string): boolean => copied.has(text)

/** Remembers what is being copied and never shown: opaque HTML, and how elements were written. */
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
