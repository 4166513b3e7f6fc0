/** An element that holds elements with texts, such as `wp:postmeta`. */
export interface RecordPart {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** Its own text. */
  text: string
  /** Those of the elements in it, by their names. */
  readonly texts: Map<string, string>
}

/** An element of the channel: an item, a term or an author. */
export interface ExportRecord extends RecordPart {
  readonly line: number
  /** The elements in it, in their order. */
  readonly parts: RecordPart[]
}

/** The text of the first element of a name; undefined if there is none, or an empty one. */
export function textOf({ parts }: ExportRecord, name: string): string | undefined {
  const text = parts.find((part) => part.name === name)?.text.trim()
  return text === '' ? undefined : text
}
