import type { ValuePath } from '../../schema/value-path.ts'
import type { Entry } from './entry-store.ts'

const field = '~unfinished'

/**
 * Where a text is kept that cannot be the value of its field yet, such as half a JSON object: among the values of the form,
 * and therefore in its history and journal, but in no field, so that no save sends it.
 */
export const unfinishedPath = (path: ValuePath): ValuePath => `${field}.${path.replaceAll('.', '/')}`

/** What is unfinished in a form, to go on with after a save or a crash. */
export function unfinishedOf(values: Entry): Entry {
  const texts = Object.entries(values[field] ?? {}).filter(([, text]) => text !== null)
  return texts.length === 0 ? {} : { [field]: Object.fromEntries(texts) }
}

/** The fields that changes are about, those of which a text is unfinished included. */
export function fieldsIn(changes: Entry): readonly string[] {
  const { [field]: unfinished, ...others } = changes
  const names = Object.keys(unfinished ?? {}).map((path) => path.split('/')[0] ?? path)
  return [...new Set([...Object.keys(others), ...names])]
}
