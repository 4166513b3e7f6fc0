import type { Recipient } from '../../../foundation/database/database.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { ReadQuery } from '../query/read-query.ts'
import { observerOf } from '../read-observer.ts'
import type { CompiledRead } from './compiled-read.ts'
import { observeInputs } from './read-inputs.ts'
import type { ReadPlan } from './read-plans.ts'

type For = Recipient | undefined

/** Called before the first statement of a list: reports what decides which entries it consists of. */
export function observeList(plan: ReadPlan, read: CompiledRead, recipient: For): void {
  const observer = observerOf(recipient)
  if (observer === undefined) return
  observeInputs(observer, read.inputs)
  const { query } = plan
  observer.selects(query.model.type.name, () => read.selectionOf(query))
}

/** Reports the entries of a page. */
export function observeShown(
  { model, fields, populate }: ReadQuery,
  entries: readonly Entry[],
  recipient: For,
): void {
  const observer = observerOf(recipient)
  if (observer === undefined) return
  const expanded = [...populate.values()].map(({ field }) => field)
  const shown = fields && new Set([...fields, ...expanded])
  observer.shows(model.type.name, idsOf(entries), shown)
}

/**
 * Reports one entry requested by its id, whether it was found or not (GraphQL answers null for a missing one). The answer
 * contains its version, so any change of the entry counts.
 */
export function observeFind({ type }: EntryModel, read: CompiledRead, id: number, recipient: For): void {
  const observer = observerOf(recipient)
  if (observer === undefined) return
  observeInputs(observer, read.inputs)
  observer.shows(type.name, [id], undefined)
}

/** Reports entries requested by their ids, whether they were found or not. */
export function observeMany(
  read: CompiledRead,
  { model, populate }: ReadQuery,
  { ids, fields }: { readonly ids: readonly number[]; readonly fields: readonly string[] | undefined },
  recipient: For,
): void {
  const observer = observerOf(recipient)
  if (observer === undefined) return
  observeInputs(observer, read.inputs)
  const expanded = [...populate.values()].map(({ field }) => field)
  observer.shows(model.type.name, ids, fields && new Set([...fields, ...expanded, 'published_at']))
}

function idsOf(entries: readonly Entry[]): number[] {
  return entries.map(({ id }) => id)
}
