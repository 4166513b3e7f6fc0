import { originalName } from './moved-styles.ts'

/**
 * The attribute for the original tag and attributes, in the clipboard and in the editor's document. See paste/clean-pasted.ts.
 */
export const sourceAttribute = 'data-mortise-source'

/** The parts of an element's original HTML that its node does not represent. Stored with the node, never shown. */
export interface Source {
  /** The original tag if several tags have the same meaning, such as `b`. */
  readonly tag?: string
  /** Attributes that the editor does not interpret: `class`, `style`, `data-…`. */
  readonly attributes?: Readonly<Record<string, string>>
  /** For a mark nested in another that is usually inside it: its depth. */
  readonly depth?: number
}

/** The attributes of an element that its node does not represent; undefined if there are none. */
export function keptAttributes(
  element: Element,
  own: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const kept = [...element.attributes].filter(({ name }) => !own.includes(name))
  return kept.length === 0
    ? undefined
    : Object.fromEntries(kept.map(({ name, value }) => [originalName(name), value]))
}

/** Drops undefined members; null if none is left, as for nodes created in the editor. */
export function sourceOf(source: { [Name in keyof Source]: Source[Name] | undefined }): Source | null {
  const known = Object.entries(source).filter(([, value]) => value !== undefined)
  return known.length === 0 ? null : Object.fromEntries(known)
}

/** Reads the value of `sourceAttribute`; null if it is invalid. */
export function readSource(text: string | null): Source | null {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null
  }
}
