import { AppError } from '../../../foundation/http/http.ts'
import { type SideDescription, sectionOf, type TransferSide } from './side.ts'

export type DescribedSide = TransferSide & { readonly described: SideDescription }

/** Two sides to compare. Both are asked for the same companions of entries. */
export interface Comparison {
  readonly source: DescribedSide
  readonly target: DescribedSide
  /** The names of the companions to compare for a section. */
  besideOf(section: string): readonly string[]
  /** The names of companions that only one side has for a section; they are not transferred. */
  unsharedOf(section: string): readonly string[]
}

/** @param without names of companions that are not transferred: `workflow`. @throws AppError 400 for a name that neither side has */
export async function comparisonBetween(
  source: TransferSide,
  target: TransferSide,
  without: readonly string[] = [],
): Promise<Comparison> {
  const [ofSource, ofTarget] = await Promise.all([source.describe(), target.describe()])
  assertKept(without, [ofSource, ofTarget])
  const besides = (section: string) =>
    [ofSource, ofTarget].map((described) => sectionOf(described, section)?.beside ?? [])
  const besideOf = (section: string) => {
    const [here = [], there = []] = besides(section)
    return here.filter((name) => there.includes(name) && !without.includes(name))
  }
  return {
    source: asking(source, ofSource, besideOf),
    target: asking(target, ofTarget, besideOf),
    besideOf,
    unsharedOf(section) {
      const [here = [], there = []] = besides(section)
      const unshared = [...here, ...there].filter((name) => !here.includes(name) || !there.includes(name))
      return unshared.filter((name) => !without.includes(name))
    },
  }
}

function asking(
  side: TransferSide,
  described: SideDescription,
  besideOf: Comparison['besideOf'],
): DescribedSide {
  return {
    ...side,
    described,
    page: (section, after) => side.page(section, after, besideOf(section)),
    find: (section, keys) => side.find(section, keys, besideOf(section)),
  }
}

function assertKept(names: readonly string[], sides: readonly SideDescription[]): void {
  const kept = new Set(sides.flatMap(({ sections }) => sections.flatMap(({ beside = [] }) => beside)))
  const unknown = names.find((name) => !kept.has(name))
  if (unknown === undefined) return
  const message = `has no ${unknown}; there are ${[...kept].join(', ') || 'none'}`
  throw AppError.invalid([{ path: 'without', code: 'unknown', message }])
}
