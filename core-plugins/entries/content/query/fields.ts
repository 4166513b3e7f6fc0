import { type DraftsOf, draftMark } from '../drafts/draft-overlay.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { canonicalFieldName } from './filters.ts'
import { type ParameterReader, textParameter } from './parameters.ts'

/** The fields to show, including the id; undefined: all. */
export function parseFields(
  reader: ParameterReader,
  model: EntryModel,
  { draftsOf }: { readonly draftsOf: DraftsOf },
): ReadonlySet<string> | undefined {
  const text = textParameter(reader, 'fields')
  if (text === undefined || text.trim() === '') return undefined
  const fields = text.split(',').map((name) => canonicalFieldName(name.trim()))
  for (const name of fields) {
    if (model.columns.has(name) || model.links.has(name) || model.inverses.has(name)) continue
    // Shown for entries in the trash, whether requested or not.
    if (name === model.deletedAt?.name) continue
    // Shown whenever drafts are, whether requested or not.
    if (name === draftMark && draftsOf(model.type) !== undefined) continue
    reader.problems.push({
      path: 'fields',
      code: 'unknown',
      message: `${model.type.name} has no field ${name}`,
    })
  }
  return new Set(['id', ...fields])
}
