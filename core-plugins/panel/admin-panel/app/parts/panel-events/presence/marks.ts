import type { EntryComment } from '../../../../../../../client/admin.ts'
import type { EntryStore } from '../../../content/entry/store/entry-store.ts'
import { createObservable } from '../../../ground/observable.ts'

/** What is told beside a field. */
export interface FieldMark {
  /** Names of the people who are in it. */
  readonly people: readonly string[]
  /** How many comments about it are not resolved. */
  readonly comments: number
}

/** By the paths of fields. */
type FieldMarks = ReadonlyMap<string, FieldMark>

/** The marks of the form that somebody has open, which may stand beside another one. */
export const marks = createObservable<
  { readonly store: EntryStore; readonly byPath: FieldMarks } | undefined
>(undefined)

/** Puts together where people are and what was said, by the paths of fields. */
export function marksOf(
  people: readonly { readonly username: string; readonly field: string | null }[],
  comments: readonly Pick<EntryComment, 'field' | 'parent' | 'resolved'>[],
): FieldMarks {
  const found = new Map<string, { people: string[]; comments: number }>()
  const at = (path: string) => {
    const mark = found.get(path) ?? { people: [], comments: 0 }
    found.set(path, mark)
    return mark
  }
  for (const { username, field } of people) for (const path of pathsTo(field)) at(path).people.push(username)
  for (const { field, parent, resolved } of comments) {
    // Answers go with what they answer.
    if (parent === null && !resolved) for (const path of pathsTo(field)) at(path).comments += 1
  }
  return found
}

/** A path and the field of the entry that it is in, which is shown even while what is in it is collapsed. */
function pathsTo(field: string | null): readonly string[] {
  if (field === null) return []
  const top = field.split('.')[0] ?? field
  return top === field ? [field] : [top, field]
}
