import type { ValuePath } from '../../schema/value-path.ts'
import type { Entry } from './entry-store.ts'

const field = '~unfinished'

/**
 * The path for text that is not a valid value of its field yet, such as incomplete JSON. It is kept among the form's values, and
 * thereby in the undo history and the journal, but outside the fields, so that no save sends it.
 */
export const unfinishedPath = (path: ValuePath): ValuePath => `${field}.${path.replaceAll('.', '/')}`

/** The unfinished texts of a form, to be kept across saves and crashes. */
export function unfinishedOf(values: Entry): Entry {
  const texts = Object.entries(values[field] ?? {}).filter(([, text]) => text !== null)
  return texts.length === 0 ? {} : { [field]: Object.fromEntries(texts) }
}

/** The fields affected by changes, including fields with unfinished text. */
export function fieldsIn(changes: Entry): readonly string[] {
  const { [field]: unfinished, ...others } = changes
  const names = Object.keys(unfinished ?? {}).map((path) => path.split('/')[0] ?? path)
  return [...new Set([...Object.keys(others), ...names])]
}
