import { sectionOfType, typeOfSection } from '../sections/section-names.ts'
import type { ItemName } from '../transfer-item.ts'
import type { Comparison } from './compare.ts'

/** What `--only` takes. */
export const sectionKinds = ['schemas', 'settings', 'roles', 'media', 'content', 'webhooks'] as const

export type SectionKind = (typeof sectionKinds)[number]

/** What every environment has of its own, such as webhooks, is transferred when it is asked for. */
export const usualKinds: readonly SectionKind[] = ['schemas', 'media', 'content']

/** What is to be transferred. */
export interface Selection {
  readonly kinds: readonly SectionKind[]
  /** Only the content of these types. */
  readonly types?: readonly string[] | undefined
  /** Only these items, whatever `kinds` says. */
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

/** The sections that are selected, in the order in which they are applied. */
export function selectedSections(
  { kinds, types, items }: Selection,
  comparison: Comparison,
): { readonly sections: readonly SelectedSection[]; readonly unselectable: readonly Unselectable[] } {
  const { source, target } = comparison
  const wanted =
    items === undefined
      ? source.described.sections
          .filter((section) => isSelected(section, kinds, types))
          .map((section) => ({ section }))
      : itemsBySection(items)
  const named = [...(types ?? []).map(sectionOfType), ...wanted.map(({ section }) => section)]
  const unselectable = [...new Set(named)].flatMap((section): Unselectable[] => {
    const side = [source, target].find(({ described }) => !described.sections.includes(section))
    return side === undefined ? [] : [{ section, missingOn: side.name }]
  })
  return { sections: [...wanted].sort(inOrder), unselectable }
}

function isSelected(section: string, kinds: readonly SectionKind[], types: readonly string[] | undefined) {
  const type = typeOfSection(section)
  if (type !== undefined) return kinds.includes('content') && types?.includes(type) !== false
  return kinds.some((kind) => kind === kindOf(section))
}

/** The kind that a section belongs to. */
export function kindOf(section: string): string {
  if (typeOfSection(section) !== undefined) return 'content'
  return section === 'media-folders' ? 'media' : section
}

function itemsBySection(items: readonly ItemName[]): SelectedSection[] {
  const sections = new Map<string, string[]>()
  for (const { section, key } of items) sections.set(section, [...(sections.get(section) ?? []), key])
  return [...sections].map(([section, keys]) => ({ section, keys }))
}

/** Whatever others may refer to comes before them. */
export const applyOrder = ['schemas', 'settings', 'roles', 'media-folders', 'media', 'content', 'webhooks']

/** The place of a section among those that are applied. */
export function placeOf(section: string): number {
  return applyOrder.indexOf(typeOfSection(section) === undefined ? section : 'content')
}

const inOrder = (left: SelectedSection, right: SelectedSection) =>
  placeOf(left.section) - placeOf(right.section) || (left.section < right.section ? -1 : 1)
