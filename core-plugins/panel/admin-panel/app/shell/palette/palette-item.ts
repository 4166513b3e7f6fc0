/** A target or command in the palette. */
export interface PaletteItem {
  readonly id: string
  readonly label: string
  readonly icon: string
  /** The kind of item, shown at the right, such as the name of a content type. */
  readonly note?: string
  /** The path to open, without `/admin`. */
  readonly to?: string
  readonly run?: () => void
}

export interface PaletteSection {
  readonly id: string
  readonly title: string
  readonly items: readonly PaletteItem[]
}

/** The items whose labels contain all words of a text; those that begin with it come first. */
export function matching(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const words = folded(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return items
  const found = items.filter(({ label }) => words.every((word) => folded(label).includes(word)))
  const isFirst = ({ label }: PaletteItem) => folded(label).startsWith(words[0] ?? '')
  return [...found.filter(isFirst), ...found.filter((item) => !isFirst(item))]
}

/** Without case and accents, for lenient matching. */
const folded = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
