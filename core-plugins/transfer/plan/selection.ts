import { sectionOfType } from '../sections/section-names.ts'
import type { ItemName } from '../transfer-item.ts'
import type { Comparison } from './compare.ts'

/** What is to be transferred; everything if it names nothing. */
export interface Selection {
  /** Only the content of these types. */
  readonly types?: readonly string[] | undefined
  /** Only these items. */
  readonly items?: readonly ItemName[] | undefined
}

/** A section to compare, and the keys of its items if not all are meant. */
export interface SelectedSection {
  readonly section: string
  readonly keys?: readonly string[]
}

/** What is selected and cannot be compared. */
export interface Unselectable {
  readonly section: string
  /** The side that does not have it, or does not show it. */
  readonly missingOn: string
}

/** The sections that are selected. */
export function selectedSections(
  { types, items }: Selection,
  comparison: Comparison,
): { readonly sections: readonly SelectedSection[]; readonly unselectable: readonly Unselectable[] } {
  const { source, target } = comparison
  const names = types?.map(sectionOfType) ?? source.described.sections
  const wanted = items === undefined ? names.map((section) => ({ section })) : itemsBySection(items)
  const unselectable = wanted.flatMap(({ section }): Unselectable[] => {
    const side = [source, target].find(({ described }) => !described.sections.includes(section))
    return side === undefined ? [] : [{ section, missingOn: side.name }]
  })
  const sections = [...wanted].sort((left, right) => (left.section < right.section ? -1 : 1))
  return { sections, unselectable }
}

function itemsBySection(items: readonly ItemName[]): SelectedSection[] {
  const sections = new Map<string, string[]>()
  for (const { section, key } of items) sections.set(section, [...(sections.get(section) ?? []), key])
  return [...sections].map(([section, keys]) => ({ section, keys }))
}
