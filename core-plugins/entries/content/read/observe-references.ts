import type { Recipient } from '../../../foundation/database/database.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { EntryModel, InverseField } from '../entry/entry-model.ts'
import { addFieldsOf } from '../query/condition-test.ts'
import type { PickedEntries, PopulateNode } from '../query/populate.ts'
import type { ReadQuery } from '../query/read-query.ts'
import { addFieldsOfSort } from '../query/sort.ts'
import { type ChosenStandIns, standInsFor } from '../query/stand-ins.ts'
import type { Visibility } from '../query/visibility.ts'
import { observerOf, type ReadObserver } from '../read-observer.ts'
import { showsAll } from './leads.ts'
import { inverseSelectionOf, isTimed, type ReadInputs } from './read-inputs.ts'
import type { ReadStages } from './read-stages.ts'

type For = Recipient | undefined

/** Middleware may use anything to produce its answer, unless it is declared predictable. */
export function observeStages(stages: ReadStages, type: ContentType, recipient: For): void {
  if (stages.isPredictable(type)) return
  observerOf(recipient)?.isOpaque(`middleware that does not say what it depends on reads ${type.name}`)
}

/** Reports entries that are shown inside others. */
export function observeReferences(references: References, recipient: For): void {
  const observer = observerOf(recipient)
  if (observer === undefined) return
  const { target, ids, node, inputs, stages } = references
  const { fields } = node.picked ?? {}
  const expanded = [...node.inside.values()].map(({ field }) => field)
  observer.shows(
    target.type.name,
    ids,
    showsAll(node.picked) && fields ? new Set([...fields, ...expanded]) : undefined,
  )
  observer.hides(inputs.hidden)
  observer.waitsFor(inputs.timed)
  observePicked(node.picked, observer)
  if (stages.showing(target.type) !== undefined) observeStages(stages, target.type, recipient)
}

/** Reports the related entries that decide which referenced entries are shown, and in which order. */
function observePicked(picked: PickedEntries | undefined, observer: ReadObserver): void {
  const related = new Map<string, Set<string>>()
  if (picked?.condition !== undefined) addFieldsOf(picked.condition, new Set(), related)
  addFieldsOfSort(picked?.sort ?? [], new Set(), related)
  for (const [type, fields] of related) observer.dependsOn(type, fields)
}

export interface References {
  readonly target: EntryModel
  readonly ids: readonly number[]
  readonly node: PopulateNode
  readonly inputs: Pick<ReadInputs, 'hidden' | 'timed'>
  readonly stages: ReadStages
}

/** Called before stand-ins are looked up: which entry is shown may change when a stand-in is added or removed. */
export function observeStandIns(
  standIns: readonly ChosenStandIns[],
  target: EntryModel,
  recipient: For,
): void {
  const chosen = standInsFor(standIns, target)
  if (chosen === undefined) return
  const { reads } = chosen.choice.restriction
  observerOf(recipient)?.dependsOn(target.type.name, reads && new Set(reads.fields))
}

/** Reports the inverse sides of entries before they are read. `owners` is undefined if other entries may stand in for them. */
export function observeInverses(
  { field, owners }: { readonly field: InverseField; readonly owners: ReadonlySet<number> | undefined },
  { picked }: PopulateNode,
  recipient: For,
): void {
  const observer = observerOf(recipient)
  if (observer === undefined) return
  observer.selects(field.target.name, () => inverseSelectionOf(field, owners, picked))
  observePicked(picked, observer)
}

/** Reports a selection from which a plugin reads freely: any change of any type involved counts. */
export function observeSelection(
  { deleted, restrictions, touchedTypes }: ReadQuery,
  visibility: Visibility,
  targets: readonly string[],
  recipient: For,
): void {
  const observer = observerOf(recipient)
  if (observer === undefined) return
  if (deleted) observer.isOpaque('it reads the trash')
  for (const { name } of touchedTypes) observer.dependsOn(name)
  for (const { restriction } of restrictions) {
    if (restriction.dependsOn !== undefined) observer.dependsOn(restriction.dependsOn)
  }
  for (const name of targets) observer.dependsOn(name)
  observer.waitsFor(touchedTypes.filter((type) => isTimed(type, visibility)).map(({ name }) => name))
}
