/** Something that the palette leads to or does. */
export interface PaletteItem {
  readonly id: string
  readonly label: string
  readonly icon: string
  /** What it is, at the right: the name of a content type. */
  readonly note?: string
  /** Where it leads, without `/admin`. */
  readonly to?: string
  readonly run?: () => void
}

export interface PaletteSection {
  readonly id: string
  readonly title: string
  readonly items: readonly PaletteItem[]
}

/** The items with all words of a text in their label, those that begin with it first. */
export function matching(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const words = folded(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  const found = items.filter(({ label }) => words.every((word) => folded(label).includes(word)))
  const isFirst = ({ label }: PaletteItem) => folded(label).startsWith(words[0] ?? '')
  return [...found.filter(isFirst), ...found.filter((item) => !isFirst(item))]
}

/** Without case and accents, as one types in a hurry. */
const folded = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
