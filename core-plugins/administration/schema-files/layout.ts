/** How a part of a JSON text is laid out. */
export interface Layout {
  /** Whether it is on one line. */
  readonly isInline: boolean
  /** By key, or by index. */
  readonly parts: ReadonlyMap<string, Layout>
}

/** Which objects and arrays of a valid JSON text span several lines; undefined if the text is on one line. */
export function layoutOf(text: string): Layout | undefined {
  if (!text.trim().includes('\n')) return undefined
  let at = 0

  function skipSpace() {
    while (/\s|,|:/.test(text[at] ?? '')) at += 1
  }

  function readText(): string {
    const start = at
    at += 1
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at += 1
    return JSON.parse(text.slice(start, at)) as string
  }

  function readValue(): Layout | undefined {
    skipSpace()
    const opening = text[at]
    if (opening === '{' || opening === '[') return readParts(opening === '{')
    if (opening === '"') readText()
    else while (/[^\s,\]}]/.test(text[at] ?? ' ')) at += 1
    return undefined
  }

  function readParts(hasKeys: boolean): Layout {
    const start = at
    const parts = new Map<string, Layout>()
    at += 1
    for (let index = 0; ; index += 1) {
      skipSpace()
      if (text[at] === '}' || text[at] === ']') break
      const key = hasKeys ? readText() : String(index)
      const part = readValue()
      if (part !== undefined) parts.set(key, part)
    }
    at += 1
    return { isInline: !text.slice(start, at).includes('\n'), parts }
  }

  return readValue()
}
