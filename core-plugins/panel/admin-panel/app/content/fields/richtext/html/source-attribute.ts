import { originalName } from './moved-styles.ts'

/** Names what is kept of an element in the clipboard, and in the editor's own document. See paste/clean-pasted.ts. */
export const sourceAttribute = 'data-mortise-source'

/** How an element was written, as far as its node does not say so itself. Kept with the node, never shown. */
export interface Source {
  /** Where several elements mean the same: `b`. */
  readonly tag?: string
  /** Attributes that the editor has no use for: `class`, `style`, `data-…`. */
  readonly attributes?: Readonly<Record<string, string>>
  /** Of a mark that stands within one that it usually stands around: how deep. */
  readonly depth?: number
}

/** The attributes of an element that its node has no place for; undefined where there are none. */
export function keptAttributes(
  element: Element,
  own: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const kept = [...element.attributes].filter(({ name }) => !own.includes(name))
  return kept.length === 0
    ? undefined
    : Object.fromEntries(kept.map(({ name, value }) => [originalName(name), value]))
}

/** Without what is undefined; null if nothing is left, as nodes that are made in the editor have it. */
export function sourceOf(source: { [Name in keyof Source]: Source[Name] | undefined }): Source | null {
  const known = Object.entries(source).filter(([, value]) => value !== undefined)
  return known.length === 0 ? null : Object.fromEntries(known)
}

/** What `sourceAttribute` has; null where it has nothing that anybody here has written. */
export function readSource(text: string | null): Source | null {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
