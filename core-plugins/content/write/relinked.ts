import { AppError } from '../../http/http.ts'
import type { Entry } from '../content.ts'
import { type EntryModel, isReference } from '../entry-model.ts'

export type LinkChange = 'link' | 'unlink'

/** The payload that links or unlinks; linking twice leaves one link. */
export function relinked(
  model: EntryModel,
  before: Entry,
  field: string,
  change: LinkChange,
  targetId: number,
) {
  const attribute = model.type.attributes.get(field)
  if (!isReference(attribute)) throw AppError.notFound(`relation ${field} of ${model.type.name}`)
  if (model.columns.has(field)) {
    const isLinked = before[field] === targetId
    if (change === 'link') return { [field]: targetId }
    return isLinked ? { [field]: null } : {}
  }
  const ids = before[field] as readonly number[]
  const isLinked = ids.includes(targetId)
  if (change === 'link') return isLinked ? {} : { [field]: [...ids, targetId] }
  return isLinked ? { [field]: ids.filter((id) => id !== targetId) } : {}
}
