import { AppError } from '../../../foundation/http/http.ts'
import { type ItemName, nameOf } from '../../../foundation/sections/sections.ts'
import { sectionOfType } from '../sections/section-names.ts'
import { compareSides } from './compare.ts'
import type { Comparison } from './comparison.ts'
import { changeText } from './conflict-changes.ts'
import type { ItemDifference, NewlyEqual, SectionDifference } from './difference.ts'
import { type LeftOut, type Selection, selectedSections } from './selection.ts'

/** Which side wins if both have changed an item. */
export type Decision = 'source' | 'target' | 'skip'

export interface PlanOptions {
  /** Whether to remove items that the source does not have. */
  readonly isDeleting: boolean
  /** The decision for conflicts not in `decisions`; if undefined, they prevent the transfer. */
  readonly onConflict?: Decision | undefined
  /** Decisions by item, for any kind of difference. */
  readonly decisions?: ReadonlyMap<string, Decision> | undefined
}

/** The changes that a transfer would make. */
export interface TransferPlan {
  readonly sections: readonly SectionDifference[]
  readonly puts: readonly ItemDifference[]
  readonly removals: readonly ItemDifference[]
  /** Items to store agreements on, without a change. */
  readonly agreements: readonly NewlyEqual[]
  /** Conflicts without a decision. */
  readonly undecided: readonly ItemDifference[]
}

/** The result of a comparison. */
export interface ComparedSections {
  readonly sections: readonly SectionDifference[]
  readonly leftOut: readonly LeftOut[]
  /** Whether the sections were named, so that none of them may be left out. */
  readonly isNamed: boolean
}

/** Compares the selected sections. @throws AppError 409 naming selected sections that one side lacks or hides */
export async function comparedSections(
  comparison: Comparison,
  selection: Selection,
): Promise<ComparedSections> {
  assertTwo(comparison)
  const { sections, leftOut, isNamed } = selectedSections(selection, comparison)
  if (isNamed && leftOut.length > 0) {
    const details = leftOut.map(({ section, missingOn }) => ({
      path: section,
      code: 'missing',
      message: `is not on the side ${missingOn}, or you may not read it there: bring the schema files there first, or select others`,
    }))
    const [first] = details
    throw new AppError('CONFLICT', `${first?.path} ${first?.message}`, { details })
  }
  const compared: SectionDifference[] = []
  for (const { section, keys } of sections) compared.push(await compareSides(comparison, section, keys))
  return { sections: compared, leftOut, isNamed }
}

function assertTwo({ source, target }: Comparison): void {
  if (source.described.environment !== target.described.environment) return
  const message =
    'both sides have the same id, as one database is a copy of the other: give the copy its own by `mortise transfer renew`'
  throw new AppError('CONFLICT', message)
}

/**
 * Decides how each difference is handled. Sections that the target cannot write are left out, unless they were
 * requested by name. @throws AppError 403
 */
export function planTransfer(
  { sections: all, isNamed }: ComparedSections,
  options: PlanOptions,
): TransferPlan {
  const refused = all.filter(({ refusal, differences }) => refusal !== null && differences.length > 0)
  if (isNamed && refused.length > 0) throw refusedSections(refused)
  const sections = all.filter(({ refusal }) => refusal === null)
  const puts: ItemDifference[] = []
  const removals: ItemDifference[] = []
  const undecided: ItemDifference[] = []
  const agreements = sections.flatMap(({ newlyEqual }) => newlyEqual)
  for (const item of sections.flatMap(({ differences }) => differences)) {
    const decision = decisionFor(item, options)
    if (decision === 'undecided') undecided.push(item)
    else if (decision === 'target') agreements.push(item)
    else if (decision === 'source') (item.source === null ? removals : puts).push(item)
  }
  return { sections, puts, removals, agreements, undecided }
}

function refusedSections(refused: readonly SectionDifference[]): AppError {
  const details = refused.map(({ section, refusal }) => ({
    ...{ path: section, code: 'forbidden' },
    message: refusal ?? '',
  }))
  const [first] = details
  return AppError.forbidden(`${first?.path} at the target ${first?.message}`, { details })
}

function decisionFor(
  item: ItemDifference,
  { isDeleting, onConflict, decisions }: PlanOptions,
): Decision | 'undecided' {
  const own = decisions?.get(nameOf(item))
  if (own !== undefined) return own
  if (item.difference === 'conflict') return onConflict ?? 'undecided'
  if (item.difference === 'ahead') return 'skip'
  if (item.difference === 'removed') return isDeleting ? 'source' : 'skip'
  return 'source'
}

/** @throws AppError 409 naming the conflicts */
export function assertDecided({ undecided }: TransferPlan): void {
  if (undecided.length === 0) return
  const details = undecided.slice(0, 100).map((item) => ({ path: nameOf(item), ...inConflict(item) }))
  const message = `${undecided.length} items were changed on both sides; decide with --on-conflict or --resolve`
  throw new AppError('CONFLICT', message, { details })
}

function inConflict({ source, target, changes }: ItemDifference) {
  const what =
    source === null
      ? 'was removed at the source and changed at the target'
      : target === null
        ? 'was changed at the source and removed at the target'
        : 'was changed on both sides since they agreed last'
  const who =
    changes && `: at the source ${changeText(changes.source)}, at the target ${changeText(changes.target)}`
  return { code: 'conflict', message: `${what}${who ?? ''}` }
}

/** `article:<uuid>` and `content:article:<uuid>` mean the same; `media:<uuid>` is a file. @throws AppError 400 */
export function itemNamed(text: string): ItemName {
  const parts = text.split(':')
  const [first = '', second, third] = parts
  if (third !== undefined) return { section: `${first}:${second}`, key: parts.slice(2).join(':') }
  if (second === undefined || second === '') {
    throw AppError.invalid([{ path: text, code: 'format', message: 'names no item; write article:<uuid>' }])
  }
  return { section: sectionOfType(first), key: second }
}
