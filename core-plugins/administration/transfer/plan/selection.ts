import type { ItemName } from '../../../foundation/sections/sections.ts'
import { sectionOfType } from '../sections/section-names.ts'
import type { Comparison } from './comparison.ts'
import { sectionOf } from './side.ts'

/** What to transfer. An empty selection means everything that both sides show. */
export interface Selection {
  /** Only these groups of sections: `content`, `media`, `roles`. */
  readonly only?: readonly string[] | undefined
  /** Only the content of these types. */
  readonly types?: readonly string[] | undefined
  /** Only these items. */
  readonly items?: readonly ItemName[] | undefined
}

/** A section to compare, and the keys of the items to compare; undefined keys mean all items. */
export interface SelectedSection {
  readonly section: string
  readonly keys?: readonly string[]
}

/** A section that cannot be compared. */
export interface LeftOut {
  readonly section: string
  /** The name of the side that lacks or hides it. */
  readonly missingOn: string
}

export interface SelectedSections {
  /** In the order in which they are written. */
  readonly sections: readonly SelectedSection[]
  /** The sections that only one side shows. */
  readonly leftOut: readonly LeftOut[]
  /** Whether the sections were named, so that none of them may be left out. */
  readonly isNamed: boolean
}

/** The sections that are selected. */
export function selectedSections(selection: Selection, comparison: Comparison): SelectedSections {
  const { source, target } = comparison
  const wanted = wantedSections(selection, comparison)
  const leftOut = wanted.flatMap(({ section }): LeftOut[] => {
    const side = [source, target].find(({ described }) => sectionOf(described, section) === undefined)
    return side === undefined ? [] : [{ section, missingOn: side.name }]
  })
  const order = source.described.sections.map(({ name }) => name)
  const sections = wanted
    .filter(({ section }) => !leftOut.some((each) => each.section === section))
    .sort((left, right) => order.indexOf(left.section) - order.indexOf(right.section))
  return { sections, leftOut, isNamed: isNamed(selection) }
}

function isNamed({ only, types, items }: Selection): boolean {
  return only !== undefined || types !== undefined || items !== undefined
}

function wantedSections(
  { only, types, items }: Selection,
  { source, target }: Comparison,
): SelectedSection[] {
  if (items !== undefined) return itemsBySection(items)
  const all = [...source.described.sections, ...target.described.sections]
  const names = all
    .filter(({ group }) => only === undefined || only.includes(group))
    .filter(({ group }) => types === undefined || (only !== undefined && group !== 'content'))
    .map(({ name }) => name)
  // A group that neither side has is reported under the requested name.
  const unknown = (only ?? []).filter((group) => !all.some((section) => section.group === group))
  return [...new Set([...names, ...(types ?? []).map(sectionOfType), ...unknown])].map((section) => ({
    section,
  }))
}

function itemsBySection(items: readonly ItemName[]): SelectedSection[] {
  const sections = new Map<string, string[]>()
  for (const { section, key } of items) sections.set(section, [...(sections.get(section) ?? []), key])
  return [...sections].map(([section, keys]) => ({ section, keys }))
}
