import type { MergeConflict, MergeValues } from '../../schema/merged.ts'
import { valueAt, withValueAt } from '../../schema/value-path.ts'
import type { Entry } from '../store/entry-store.ts'
import { unfinishedOf } from '../store/unfinished.ts'
import { within } from './merge-list.ts'
import { isProse } from './merge-texts.ts'
import { mergeValues } from './merge-values.ts'

export interface EntryVersions {
  readonly base: Entry
  readonly mine: Entry
  readonly theirs: Entry
}

/**
 * Merges two changed versions of an entry, field by field. Values that are not fields, such as its timestamps, are taken from
 * `theirs`.
 */
export function mergeEntry(
  fields: readonly string[],
  { base, mine, theirs }: EntryVersions,
  mergeOf: (field: string) => MergeValues | undefined = () => undefined,
): { readonly values: Entry; readonly conflicts: readonly MergeConflict[] } {
  const merged = fields.map((field) => {
    const merge = mergeOf(field) ?? mergeValues
    return { field, ...merge({ base: base[field], mine: mine[field], theirs: theirs[field] }) }
  })
  return {
    values: {
      ...theirs,
      ...unfinishedOf(mine),
      ...Object.fromEntries(merged.map(({ field, value }) => [field, value])),
    },
    conflicts: merged.flatMap(({ field, conflicts }) =>
      conflicts.map((conflict) => ({ ...conflict, path: within(field, conflict.path) })),
    ),
  }
}

/** The user's decision about a conflict. */
export type Choice = 'mine' | 'theirs' | 'both'

/** Whether both values can be kept, one after the other. */
export const mayKeepBoth = ({ mine, theirs }: MergeConflict): boolean =>
  typeof mine === 'string' && typeof theirs === 'string' && isProse(mine) && isProse(theirs)

/** The merged values with all conflicts decided; `choices` are in the order of `conflicts`. */
export function resolve(
  values: Entry,
  conflicts: readonly MergeConflict[],
  choices: readonly Choice[],
): Entry {
  // Last conflict first, since removing an item shifts the items behind it.
  return conflicts.reduceRight((entry, conflict, index) => {
    const chosen = chosenValue(conflict, choices[index] ?? 'mine')
    return chosen === undefined ? without(entry, conflict.path) : withValueAt(entry, conflict.path, chosen)
  }, values)
}

function chosenValue({ mine, theirs }: MergeConflict, choice: Choice): unknown {
  if (choice !== 'both') return choice === 'mine' ? mine : theirs
  return [mine, theirs].join(String(mine).trimStart().startsWith('<') ? '' : '\n\n')
}

/** Removes the list item at a path; a field at the path becomes null. */
function without(entry: Entry, path: string): Entry {
  const cut = path.lastIndexOf('.')
  const [parent, last] = [path.slice(0, Math.max(cut, 0)), path.slice(cut + 1)]
  const list = cut < 0 ? undefined : valueAt(entry, parent)
  if (!Array.isArray(list)) return withValueAt(entry, path, null)
  return withValueAt(
    entry,
    parent,
    list.filter((_, index) => index !== Number(last)),
  )
}
