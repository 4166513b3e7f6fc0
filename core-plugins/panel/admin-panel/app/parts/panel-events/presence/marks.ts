import type { EntryComment } from '../../../../../../../client/admin.ts'
import type { EntryStore } from '../../../content/entry/store/entry-store.ts'
import { createObservable } from '../../../ground/observable.ts'

/** The presence and comments of a field. */
export interface FieldMark {
  /** Names of the people who are in it. */
  readonly people: readonly string[]
  /** The number of unresolved comments. */
  readonly comments: number
}

/** By the paths of fields. */
type FieldMarks = ReadonlyMap<string, FieldMark>

/** The marks of the open form, which may be one of two side by side. */
export const marks = createObservable<
  { readonly store: EntryStore; readonly byPath: FieldMarks } | undefined
>(undefined)

/** Combines presence and comments by field path. */
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
    // Replies belong to their thread.
    if (parent === null && !resolved) for (const path of pathsTo(field)) at(path).comments += 1
  }
  return found
}

/** A path and its top-level field, which stays visible when its content is collapsed. */
function pathsTo(field: string | null): readonly string[] {
  if (field === null) return []
  const top = field.split('.')[0] ?? field
  return top === field ? [field] : [top, field]
}
