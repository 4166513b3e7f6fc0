import type { EntryToSave } from '../../../entries/content/content.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { type ItemName, nameOf } from '../../../foundation/sections/sections.ts'
import type { LinePlace } from '../package/package-file.ts'
import type { EntryValue } from '../sections/entry-reader.ts'

/** An entry to write, with the ids of this environment. */
export interface ReadyEntry {
  readonly place: LinePlace
  readonly item: ItemName
  readonly value: EntryValue
  readonly data: Readonly<Record<string, unknown>>
  readonly missing: readonly ItemName[]
  /** Its id, if it exists here. */
  readonly id: number | undefined
  /** The id of the version that it is a translation of. */
  readonly source: number | undefined
}

/** Whether an entry must wait: for a required reference, or for the entry that it is a translation of. */
export function mustWait({ attributes }: ContentType, entry: ReadyEntry): boolean {
  const { value, data, missing } = entry
  if (isJoining(entry) && entry.source === undefined) return true
  if (missing.length === 0) return false
  return [...attributes.values()].some(({ name, required }) => {
    const wanted = value.data[name]
    return required && wanted !== null && wanted !== undefined && isEmpty(data[name])
  })
}

/** Whether it is a new version of an entry. */
export function isJoining({ id, value }: ReadyEntry): boolean {
  return id === undefined && value.source !== undefined
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

export function toSave(
  { options }: ContentType,
  { item: { key }, value, data, id }: ReadyEntry,
): EntryToSave {
  const isNew = id === undefined
  const at = value.published_at ?? null
  const published = !options.draftAndPublish || (isNew && at === null) ? undefined : at
  return {
    uuid: key,
    published,
    // The entry becomes equal to the one on the other side, whatever draft is pending here.
    comparedWith: 'latest',
    data: isNew && value.locale !== undefined ? { ...data, locale: value.locale } : data,
  }
}

export function sourceProblems({ item, value }: ReadyEntry): ErrorDetail[] {
  const message = `is a translation of ${value.source}, which is not here; transfer that, too`
  return [{ path: nameOf(item), code: 'reference', message }]
}
