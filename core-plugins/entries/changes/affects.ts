import type { Image, ReadSelection } from '../content/content.ts'
import type { Change } from './changes.ts'
import type { ShownEntries, TypeDependence } from './read-record.ts'

/** Whether a change may invalidate an answer, given what the answer depends on in the changed type. True if in doubt. */
export function affects(change: Change, dependence: TypeDependence, now: string): boolean {
  if (change.kind === 'draft') return false
  if (change.kind === 'reset' || dependence.isWhole) return true
  if (dependence.fields !== undefined && touches(change, dependence.fields)) return true
  if (dependence.hides !== undefined && changesVisibility(change, dependence.hides)) return true
  return (
    dependence.shown.some((shown) => changesShown(change, shown)) ||
    dependence.selections.some((selection) => changesSelection(change, selection, now))
  )
}

/** Only updates list the fields that they changed. */
function touches({ kind, fields }: Change, looked: ReadonlySet<string> | undefined): boolean {
  if (kind !== 'update' || fields === undefined || looked === undefined) return true
  for (const name of fields) if (looked.has(name)) return true
  return false
}

/** A create may be a restore from the trash of an entry that others already refer to, or the first entry in a language. */
function changesVisibility(
  { kind, wasPublic, isPublic, before, after }: Change,
  hides: 'unpublished' | 'trash',
): boolean {
  if (kind === 'create') return isPublic || hides === 'trash'
  if (kind !== 'update') return true
  return wasPublic !== isPublic || before === undefined || after === undefined
}

function changesShown(change: Change, { ids, fields }: ShownEntries): boolean {
  if (change.entryId !== undefined && !ids.has(change.entryId)) return false
  return touches(change, fields)
}

function changesSelection(change: Change, selection: ReadSelection, now: string): boolean {
  const { fields, sortedBy } = selection
  if (!touches(change, fields) && !touches(change, sortedBy)) return false
  const before = belongs(change.before, selection, now)
  const after = belongs(change.after, selection, now)
  if (before === undefined || after === undefined || before !== after) return true
  return before && touches(change, sortedBy)
}

/** Whether an entry belongs to a selection; `image` is null if the entry does not exist. */
function belongs(
  image: Image | null | undefined,
  selection: ReadSelection,
  now: string,
): boolean | undefined {
  if (image === null) return false
  return image === undefined ? undefined : selection.test(image, now)
}
