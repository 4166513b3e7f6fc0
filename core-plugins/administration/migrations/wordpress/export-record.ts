/** An element whose child elements hold texts, such as `wp:postmeta`. */
export interface RecordPart {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** The text directly inside the element. */
  text: string
  /** The texts of its child elements by name. */
  readonly texts: Map<string, string>
}

/** An element of the channel: an item, a term or an author. */
export interface ExportRecord extends RecordPart {
  readonly line: number
  /** Its child elements, in document order. */
  readonly parts: RecordPart[]
}

/** The text of the first child element with this name; undefined if it is missing or empty. */
export function textOf({ parts }: ExportRecord, name: string): string | undefined {
  const text = parts.find((part) => part.name === name)?.text.trim()
  return text === '' ? undefined : text
}
